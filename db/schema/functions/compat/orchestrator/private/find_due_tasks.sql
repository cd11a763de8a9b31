create or replace function tasker.find_due_tasks(p_limit integer)
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuids uuid[];
begin
  select array_agg(distinct d.task_uuid)
    into v_uuids
    from (
      select m.task_uuid
        from tasker.timers as m
        join tasker.tasks as t
          on t.task_uuid = m.task_uuid
       where m.due_at <= tasker.clock()
         and m.kind <> 'task_deadline'
         and (t.discovered_until is null or t.discovered_until <= tasker.clock())
         and not exists (select from tasker.waiting_tasks as w where w.task_uuid = m.task_uuid)
       order by m.due_at
       limit p_limit
    ) as d;
  return coalesce(v_uuids, '{}');
end;
$$;

comment on function tasker.find_due_tasks is
$$Returns tasks with a due start or retry, longest due first, except those that already wait for an orchestrator.$$;
