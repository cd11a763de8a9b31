create or replace function tasker.find_due_tasks(p_limit integer, p_seen uuid[])
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
         and m.task_uuid <> all (p_seen)
         and not t.complete
         and not exists (select from tasker.waiting_tasks as w where w.task_uuid = m.task_uuid)
         and not exists (
           select
             from tasker.timers as d
            where d.task_uuid = m.task_uuid
              and d.step_no = 0
              and d.kind = 'advance_task'
              and d.due_at > tasker.clock()
         )
       order by m.due_at
       limit p_limit
    ) as d;
  return coalesce(v_uuids, '{}');
end;
$$;

comment on function tasker.find_due_tasks is
$$Returns open tasks that a direct call has changed or whose start or retry is due. Finds the tasks that have been due
longest. Skips tasks in p_seen, tasks whose start is deferred, and tasks that another session has discovered.$$;
