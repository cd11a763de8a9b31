create or replace function tasker.ranges_to_evacuate(p_range tasker.partition_ranges)
  returns tasker.partition_ranges[]
  language plpgsql
  stable
as $$
declare
  v_before tasker.partition_ranges;
begin
  -- Merge with the preceding range if it was evacuated too, so that evacuated ranges do not add up. A range of kept
  -- tasks may have very many.
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
