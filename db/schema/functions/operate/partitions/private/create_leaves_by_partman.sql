create or replace function tasker.create_leaves_by_partman(p_schema text, p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
  v_table  tasker.partitioned_tables;
  v_parent text;
  v_leaf   text;
  v_bound  text;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    v_parent := 'tasker.' || v_table.table_name;
    v_leaf := v_table.table_name || '_' || p_range.suffix;

    -- Insert the row that create_parent would write. Do not call create_parent, because it also locks the parent
    -- exclusively and creates partitions of its own choice. The retention of pg_partman stays off, because pg_partman
    -- does not know which tasks are open, nor that the tables of a range are dropped together.
    execute format(
      $sql$
        insert into %1$I.part_config as c (
          parent_table, control, partition_type, partition_interval, premake, time_encoder, time_decoder,
          datetime_string, automatic_maintenance, infinite_time_partitions, jobmon
        )
        values ($1, 'task_uuid', 'range', $2, $3, $4, $5, $6, 'off', true, false)
        on conflict (parent_table) do update
           set partition_interval = excluded.partition_interval,
               premake = excluded.premake,
               datetime_string = excluded.datetime_string,
               automatic_maintenance = 'off',
               infinite_time_partitions = true,
               retention = null
         where (c.partition_interval, c.premake, c.datetime_string, c.automatic_maintenance, c.retention)
               is distinct from
               (excluded.partition_interval, excluded.premake, excluded.datetime_string, 'off', null)
      $sql$,
      p_schema
    ) using v_parent, v_config.partition_interval::text, v_config.premake,
            format('%I.uuid7_time_encoder', p_schema), format('%I.uuid7_time_decoder', p_schema),
            case when v_config.partition_interval < interval '1 day' then 'YYYYMMDD_HH24MISS' else 'YYYYMMDD' end;

    execute format(
      'select %I.create_partition_time(p_parent_table := $1, p_partition_times := array[$2])', p_schema
    ) using v_parent, p_range.starts_at;

    select pg_get_expr(k.relpartbound, k.oid)
      into v_bound
      from pg_class as k
     where k.oid = to_regclass(format('tasker.%I', v_leaf))
       and k.relispartition;
    if v_bound is distinct from format('FOR VALUES FROM (%L) TO (%L)', p_range.from_uuid, p_range.to_uuid) then
      raise exception using
        errcode = 'TK409',
        message = format('it created %s with bounds %s', v_leaf, coalesce(v_bound, '(none)')),
        hint    = 'With backend "builtin" pgtasker creates the partitions itself: tasker.setup_partitioning(p_backend => ''builtin'').';
    end if;

    execute format('alter table tasker.%I set (%s)', v_leaf, v_table.storage);
  end loop;
end;
$$;

comment on function tasker.create_leaves_by_partman is
$$Registers the tables with pg_partman, lets pg_partman create and attach the partitions of a range, and checks these
partitions.

pg_partman changes the search_path of the session, and tasker.ensure_partitions restores it. Does not catch the errors
of pg_partman. Raises TK409 if the bounds of a partition are not the bounds of the range.$$;
