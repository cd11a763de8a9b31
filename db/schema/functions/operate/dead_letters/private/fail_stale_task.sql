create or replace function tasker.fail_stale_task(p_task_uuid uuid, p_reason text, p_message text)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task  tasker.tasks;
  v_entry uuid;
begin
  select t.* into strict v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  v_entry := tasker.insert_dlq_entry(p_task_uuid, v_task.state, p_reason, null, null);
  perform tasker.move_task(
    v_task, 'Timeout', 'error', null,
    jsonb_build_object('reason', p_message, 'dlq_reason', p_reason, 'dlq_entry_uuid', v_entry), null
  );
  return v_entry;
end;
$$;

comment on function tasker.fail_stale_task is
$$Moves a stale task to the state "error" and writes an entry for it into the dead-letter queue. Returns the UUID of the
entry. The caller holds the task's lock.$$;
