create or replace function tasker.drop_unused_ranges()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_ranges tasker.partition_ranges[];
  v_range  tasker.partition_ranges;
  v_used   boolean;
begin
  select array_agg(r order by r.starts_at)
    into v_ranges
    from tasker.partition_config as c
    join tasker.partition_ranges as r
      on r.starts_at > tasker.clock() + make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'))
     and (
       r.starts_at <> tasker.partition_floor(r.starts_at, c.partition_interval)
       or r.ends_at <> r.starts_at + c.partition_interval
     );
  if v_ranges is null then
    return false;
  elsif tasker.lock_range(v_ranges) is not null then
    return false;
  end if;

  foreach v_range in array v_ranges loop
    execute format('select exists (select from tasker.%I)', 'tasks_' || v_range.suffix) into v_used;
    if not v_used then
      perform tasker.drop_partition_range(v_range.starts_at);
    end if;
  end loop;
  return true;
end;
$$;

comment on function tasker.drop_unused_ranges is
$$Drops the ranges that have not begun, contain no task and have another interval than configured. Returns true if it
has locked the run tables exclusively for that, until the transaction ends, and false if there are no such ranges, or it
could not get the locks.$$;
