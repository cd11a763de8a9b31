create or replace function tasker.evacuated_range(p_ranges tasker.partition_ranges[])
  returns tasker.partition_ranges
  language plpgsql
  immutable
as $$
declare
  v_last tasker.partition_ranges := p_ranges[cardinality(p_ranges)];
  v_new  tasker.partition_ranges := p_ranges[1];
begin
  v_new.ends_at := v_last.ends_at;
  v_new.to_uuid := v_last.to_uuid;
  v_new.evacuations := v_new.evacuations + 1;
  v_new.suffix := regexp_replace(v_new.suffix, '(_e[0-9]+)?$', '_e' || v_new.evacuations);
  return v_new;
end;
$$;

comment on function tasker.evacuated_range is
$$Returns the range that replaces these ranges. The new range has the outer bounds of these ranges, and a suffix with
the number of evacuations.$$;
