create or replace function tasker.missing_holds(p_range tasker.partition_ranges, p_suffix text, p_limit integer)
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
begin
  execute format(
    $sql$
      select array_agg(o.task_uuid)
        from (
          select distinct h.task_uuid
            from tasker.range_holds($1) as h
           where exists (select from tasker.%I as t where t.task_uuid = h.task_uuid)
             and not exists (select from tasker.%I as t where t.task_uuid = h.task_uuid)
           limit $2
        ) as o
    $sql$,
    'tasks_' || p_range.suffix, 'tasks_' || p_suffix
  ) into v_tasks using p_range, p_limit;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.missing_holds is
$$Returns tasks that hold a range and were not copied to its new partitions.$$;
