create or replace function tasker.partition_backend()
  returns setof tasker.partition_backends
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_config  tasker.partition_config;
  v_answer  tasker.partition_backends;
  v_numbers text;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  select n.nspname, e.extversion
    into v_answer.schema_name, v_answer.version
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman';

  v_numbers := substring(v_answer.version from '^[0-9]+[.][0-9]+');
  v_answer.backend := 'builtin';
  v_answer.reason := case
    when v_config.backend = 'builtin' then
      'the built-in manager is configured'
    when v_answer.version is null then
      'pg_partman is not installed in this database'
    when v_numbers is null or string_to_array(v_numbers, '.')::integer[] < array[5, 2] then
      format('pg_partman %s cannot partition by a uuid; 5.2 and newer can', v_answer.version)
    when not coalesce(
      has_schema_privilege('tasker_owner', v_answer.schema_name, 'usage')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'select')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'insert')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'update')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config_sub', v_answer.schema_name)), 'select'),
      false
    ) then
      format('tasker_owner may not use pg_partman %s; its owner must call tasker.adopt_pg_partman()', v_answer.version)
  end;

  if v_answer.reason is null then
    v_answer.backend := 'pg_partman';
    v_answer.reason := case
      when v_config.pg_partman_problem is null then
        format('pg_partman %s is installed in schema %s', v_answer.version, v_answer.schema_name)
      else
        format(
          'pg_partman %s failed last time, and the built-in manager took over: %s',
          v_answer.version, v_config.pg_partman_problem
        )
    end;
  end if;
  return next v_answer;
end;
$$;

comment on function tasker.partition_backend is
$$Returns which manager creates the next partitions, pg_partman or the built-in manager, and why.

The function checks this at each call, so no other call is needed after installing, dropping or upgrading the extension.$$;
