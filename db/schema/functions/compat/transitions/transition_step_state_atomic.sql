create or replace function tasker.transition_step_state_atomic(
  p_step_uuid       uuid,
  p_from_state      text,
  p_to_state        text,
  p_processor_uuid  uuid   default null,
  p_metadata        jsonb  default '{}'
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_from  tasker.step_state := tasker.parse_step_state(p_from_state);
  v_to    tasker.step_state := tasker.parse_step_state(p_to_state);
  v_event text;
  v_task  tasker.task_facts;
  v_old   tasker.workflow_steps;
  v_move  tasker.step_moves;
begin
  perform tasker.check_bound(p_step_uuid);
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.step_event(v_from, v_to, p_metadata ->> 'event');
  if p_metadata ? 'results' and v_to <> 'enqueued_for_orchestration' and v_event <> 'CompleteManually' then
    raise exception using
      errcode = 'TK422',
      message = format('a step cannot get results when it goes from %s to %s', v_from, v_to),
      hint    = 'A worker records them by in_progress -> enqueued_for_orchestration, an operator by -> complete.';
  end if;

  -- Lock the task before the step, as all functions do.
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  select s.*
    into v_old
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;

  if v_old.state <> v_from then
    return false;
  end if;
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') or (v_task.state = 'pending' and v_to = 'enqueued') then
    raise exception using
      errcode = 'TK409',
      message = format('step %s cannot leave %s: its task is %s', p_step_uuid, v_from, v_task.state),
      hint    = 'Start the task, or reset it if it has failed.';
  end if;
  perform tasker.check_step_guards(p_step_uuid, v_event, v_from);

  if v_from = 'in_progress' and v_old.worker_uuid is distinct from p_processor_uuid then
    perform tasker.notify_cancelled(v_task.namespace, v_task.task_uuid, array[v_old.step_no]);
  end if;
  v_move := tasker.direct_move(v_old, v_event, v_to, p_processor_uuid, p_metadata, tasker.actor_name(null));
  perform tasker.apply_held_move(v_move, v_task);
  perform tasker.announce_result(v_move);
  perform tasker.advance_later(v_task.task_uuid);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.transition_step_state_atomic is
$$Moves a step from p_from_state to p_to_state and returns true (compare and swap). If the step is not in p_from_state, changes nothing and returns false.

Writes the same rows as the engine does for such a move: the log, the audit, the counters of the task and of the step's children, the queue row and the timer. A claim or an orchestrator then evaluates the task. If the call records a result, process_step_results processes it later, and a message to the queue orchestration_step_results announces it if the queue exists. p_processor_uuid is the worker or another actor. p_metadata may contain the keys results, error, reason, execution_time_ms and backoff_seconds. It may contain the key "event" if several events lead from p_from_state to p_to_state. The log keeps other keys.

Locks the task, then the step. Raises TK404 if there is no such step, TK409 if the state machine or a guard forbids the transition or the task has ended, TK413 if results and metadata are too large, TK422 if an argument is malformed, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.transition_step_state_atomic
  to tasker_orchestrator, tasker_operator;
