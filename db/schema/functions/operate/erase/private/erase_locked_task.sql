create or replace function tasker.erase_locked_task(p_task tasker.tasks, p_root_uuid uuid, p_reason text, p_actor text)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := tasker.erasure_problem(p_task);
  v_digest  text;
begin
  if v_problem is null then
    v_digest := tasker.run_digest(p_task.task_uuid);
    perform tasker.erase_rows(p_task.task_uuid);
    insert into tasker.erasures (task_uuid, namespace, root_uuid, erased_at, erased_by, reason, steps, digest, remains)
    select
      t.task_uuid, tasker.namespace_of_task(t.task_uuid), p_root_uuid, t.erased_at, p_actor, p_reason, t.total_steps,
      v_digest, tasker.run_digest(t.task_uuid)
    from tasker.tasks as t
    where t.task_uuid = p_task.task_uuid;
  end if;
  return coalesce(v_problem, 'erased');
end;
$$;

comment on function tasker.erase_locked_task is
$$Erases the data of a task, unless something forbids it, and writes tasker.erasures. Returns the outcome, as in tasker.task_erasures.outcome. The caller holds the task's lock.$$;
