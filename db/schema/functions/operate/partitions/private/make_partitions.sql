create or replace function tasker.make_partitions(p_search_path text)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config  tasker.partition_config;
  v_at      timestamptz;
  v_start   timestamptz;
  v_end     timestamptz;
  v_last    timestamptz;
  v_created integer := 0;
begin
  -- Only one session creates partitions at a time. A second session usually has nothing left to do.
  if not tasker.take_partition_turn() then
    return 0;
  end if;

  select c.* into strict v_config from tasker.partition_config as c;

  -- A UUID that a caller made may have a time a little in the past, so the range of that time is needed, too.
  v_at := tasker.clock() - make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'));
  v_last := tasker.partition_floor(tasker.clock(), v_config.partition_interval)
    + v_config.premake * v_config.partition_interval;

  -- Go from one time that no range covers to the next. There may be ranges of another interval between the two times.
  while v_at <= v_last loop
    select r.ends_at
      into v_end
      from tasker.partition_ranges as r
     where r.starts_at <= v_at
       and r.ends_at > v_at;

    if not found then
      -- Each new range needs about forty entries of the server's lock table until the commit.
      exit when v_created = 32;
      v_start := tasker.partition_floor(v_at, v_config.partition_interval);
      select greatest(v_start, max(r.ends_at) filter (where r.ends_at <= v_at)),
             least(v_start + v_config.partition_interval, min(r.starts_at) filter (where r.starts_at > v_at))
        into v_start, v_end
        from tasker.partition_ranges as r;
      perform tasker.create_partition_range(v_start, v_end);
      v_created := v_created + 1;
    end if;
    v_at := v_end;
  end loop;

  -- Restore the search_path, which pg_partman has set for the session. Do so last, because all other names here must be
  -- resolved before.
  if v_created > 0 and (select b.backend = 'pg_partman' from tasker.partition_backend() as b) then
    perform set_config('search_path', p_search_path, false);
  end if;
  return v_created;
end;
$$;

comment on function tasker.make_partitions is
$$Creates the missing ranges, at most 32 of them, and returns how many it created. If pg_partman has created a range,
then sets the session's search_path to p_search_path.$$;
