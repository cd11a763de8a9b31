create or replace function tasker.changed_kept(p_range tasker.partition_ranges, p_suffix text, p_limit integer)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
begin
  -- A task that was not copied yet will be copied with this change.
  execute format(
    $sql$
      with noted as (
        delete from tasker.kept_changes as c
         where (c.task_uuid, c.xact) in (
           select o.task_uuid, o.xact
             from tasker.kept_changes as o
            where o.task_uuid >= $1
              and o.task_uuid < $2
            order by o.task_uuid
            limit $3
         )
        returning c.task_uuid
      )
      select array_agg(distinct n.task_uuid)
        from noted as n
       where exists (select from tasker.%I as t where t.task_uuid = n.task_uuid)
    $sql$,
    'tasks_' || p_suffix
  ) into v_tasks using p_range.from_uuid, p_range.to_uuid, p_limit;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.changed_kept is
$$Returns tasks that have changed since they were copied, and deletes the records of these changes. The caller copies
the tasks again in the same transaction.$$;
