create or replace function tasker.send_signal(
  p_task_uuid        uuid,
  p_name             text,
  p_payload          jsonb  default '{}',
  p_idempotency_key  text   default null
)
  returns setof tasker.signal_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
begin
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  return next tasker.deliver_signal(p_task_uuid, p_name, p_payload, p_idempotency_key, false);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.send_signal is
$$Sends a signal to a task. A step that waits for the signal takes it and is complete, and this transaction moves the task on to the next steps with a handler. The answer is then "delivered". If no step waits for the signal yet, it is kept for the first step that waits for it, and the answer is "kept". Only one step takes a signal. If several steps wait for the same name, the step with the lowest number takes the signal.

A task that has ended takes no signal. The answer is then "ended", and the call changes nothing. A failed task takes signals again after tasker.reset_task. The answer to a known idempotency key is repeated, even after the task has ended. Without an idempotency key each call sends another signal. Two alternatives of a wait may name the same signal with different conditions ("when"). A signal whose payload fits no condition is kept.

Locks the task, then the steps that change their state. Raises TK404 if there is no such task, TK409 if the task has 65,535 signals, above READ COMMITTED, or if another session keeps the task locked for 5 seconds, TK413 if the payload is larger than the setting "result_bytes" or the key is longer than 1,000 characters, TK422 if the name is malformed, or the payload is null or does not fit the schema of the waits for this signal, TK403 if the caller does not have the assignee's role or is bound to other namespaces.$$;

grant execute on function tasker.send_signal
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
