create or replace function tasker.configure_partitions(
  p_interval  interval,
  p_premake   integer,
  p_retention interval,
  p_backend   text
)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_before  tasker.partition_config;
  v_config  tasker.partition_config;
  v_backend tasker.partition_backends;
begin
  perform tasker.check_isolation();
  select c.* into strict v_before from tasker.partition_config as c;
  v_config := v_before;
  v_config.partition_interval := coalesce(p_interval, v_config.partition_interval);
  v_config.premake := coalesce(p_premake, v_config.premake);
  v_config.retention := coalesce(p_retention, v_config.retention);
  v_config.backend := coalesce(p_backend, v_config.backend);
  perform tasker.check_partition_config(v_config);

  perform tasker.take_turn('partitions');
  update tasker.partition_config as c
     set partition_interval = v_config.partition_interval,
         premake = v_config.premake,
         retention = v_config.retention,
         backend = v_config.backend,
         pg_partman_problem = null
   where c is distinct from v_config;

  if p_backend = 'pg_partman' then
    select b.* into strict v_backend from tasker.partition_backend() as b;
    if v_backend.backend <> 'pg_partman' then
      raise exception using
        errcode = 'TK409',
        message = 'pg_partman cannot create the partitions',
        detail  = v_backend.reason,
        hint    = 'With backend "auto" the built-in manager creates them until pg_partman can.';
    end if;
  end if;

  if v_config.partition_interval is not distinct from v_before.partition_interval then
    return true;
  end if;
  return not tasker.drop_unused_ranges();
end;
$$;

comment on function tasker.configure_partitions is
$$Checks and stores how the run tables are partitioned, and drops unused ranges of another interval. Returns true if
this transaction may create ranges, and false if it has locked the run tables exclusively and should end soon.$$;
