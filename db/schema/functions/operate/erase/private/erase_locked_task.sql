create or replace function tasker.erase_locked_task(p_task_uuid uuid, p_root_uuid uuid, p_reason text, p_actor text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_rare   boolean := tasker.has_rare_rows(p_task_uuid);
  v_digest text := tasker.run_digest(p_task_uuid, v_rare);
begin
  perform tasker.erase_rows(p_task_uuid, v_rare);
  insert into tasker.erasures (task_uuid, namespace, root_uuid, erased_at, erased_by, reason, steps, digest, remains)
  select
    t.task_uuid, tasker.namespace_of_task(t.task_uuid), p_root_uuid, t.erased_at, p_actor, p_reason, t.total_steps,
    v_digest, tasker.run_digest(t.task_uuid, v_rare)
  from tasker.tasks as t
  where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.erase_locked_task is
$$Erases the data of a task, and writes a row into tasker.erasures. The caller holds the task's lock, and has checked
with tasker.erasure_problem that the task can be erased.$$;
