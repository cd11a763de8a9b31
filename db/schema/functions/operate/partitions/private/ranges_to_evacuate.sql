create or replace function tasker.ranges_to_evacuate(p_range tasker.partition_ranges)
  returns tasker.partition_ranges[]
  language plpgsql
  stable
as $$
declare
  v_before tasker.partition_ranges;
begin
  -- Merge the range with the preceding range if that range was evacuated, too, so that the number of evacuated ranges
  -- does not grow. Do not merge with a range of kept tasks, which may have very many tasks.
  select r.* into v_before
    from tasker.partition_ranges as r
   where r.ends_at <= p_range.starts_at
   order by r.starts_at desc
   limit 1;
  return case when v_before.evacuations > 0 and v_before.kept = '{}' then array[v_before, p_range] else array[p_range] end;
end;
$$;

comment on function tasker.ranges_to_evacuate is
$$Returns a range, and before it the preceding range if that range was evacuated.$$;
