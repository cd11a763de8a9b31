create or replace function tasker.transition_task_state_atomic(
  p_task_uuid       uuid,
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
  v_from  tasker.task_state := tasker.parse_task_state(p_from_state);
  v_to    tasker.task_state := tasker.parse_task_state(p_to_state);
  v_event text;
  v_task  tasker.tasks;
begin
  perform tasker.check_bound(p_task_uuid);
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.task_event(v_from, v_to, p_metadata ->> 'event');

  if v_event = 'Reset' then
    perform tasker.lock_identity(p_task_uuid);
  end if;
  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  if v_task.state <> v_from then
    return false;
  end if;
  -- A task has a processor only in an active state. Any processor may move a task that has none.
  if v_task.processor_uuid is distinct from p_processor_uuid
     and v_task.processor_uuid is not null
     and tasker.setting_boolean('enforce_processor_ownership') then
    return false;
  end if;
  perform tasker.check_task_guards(v_task, v_event, v_to);
  if v_event = 'Reset' then
    perform tasker.check_identity_regained(v_task);
  end if;

  perform tasker.move_task(v_task, v_event, v_to, p_processor_uuid, p_metadata, tasker.actor_name(null));
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.transition_task_state_atomic is
$$Moves a task from p_from_state to p_to_state and returns true (compare and swap). If the task is not in p_from_state, changes nothing and returns false.

Writes the same rows as the engine does for such a move: the log, the steps (which are cancelled, failed or reset with the task), the queue and the timers. If the task is still open, an orchestrator then evaluates the task. In an active state, p_processor_uuid becomes the owner of the task. If the setting enforce_processor_ownership is true, returns false for any processor except the owner. p_metadata may contain the key "reason". It may contain the key "event" if several events lead from p_from_state to p_to_state. The log keeps other keys.

Locks the task, then the task's steps. For a reset, locks the task's identity first. Raises TK404 if there is no such task, TK409 if the state machine or a guard forbids the transition, or if a reset would open a task whose identity another open task has, TK413 if the metadata is too large, TK422 if an argument is malformed, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.transition_task_state_atomic
  to tasker_orchestrator, tasker_operator;
