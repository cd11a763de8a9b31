create or replace function tasker.advance_later(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.waiting_tasks as w
   using tasker.tasks as t
   where w.task_uuid = p_task_uuid
     and t.task_uuid = p_task_uuid
     and t.state <> 'pending';

  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select t.task_uuid, 'advance_task', tasker.clock(), tasker.namespace_of_task(t.task_uuid)
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     and not t.complete
     and not exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task_uuid)
  on conflict do nothing;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.advance_later is
$$Writes a note that an open task has to be advanced, so that no direct call can leave the task without progress. A claim or an orchestrator processes the note. A task whose start is deferred keeps waiting for an orchestrator.$$;
