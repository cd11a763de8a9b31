create or replace function tasker.write_task_transition(
  p_task            tasker.tasks,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_state tasker.task_states;
begin
  select s.* into strict v_state from tasker.task_states as s where s.state = p_to_state;

  update tasker.tasks as t
     set state                   = p_to_state,
         transition_count        = t.transition_count + 1,
         processor_uuid          = case when v_state.requires_ownership then p_processor_uuid end,
         started_at              = case when p_event = 'Start' then coalesce(t.started_at, v_now) else t.started_at end,
         completed_at            = case when v_state.terminal then v_now end,
         finalization_claimed_at = null,
         finalization_claimed_until = null,
         finalization_claimed_by = null,
         updated_at              = v_now
   where t.task_uuid = p_task.task_uuid;

  insert into tasker.task_transition_log (
    task_uuid, sort_key, event, from_state, to_state, processor_uuid, actor, reason, metadata, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + 1, p_event, p_task.state, p_to_state, p_processor_uuid,
    p_actor, p_metadata ->> 'reason', nullif(p_metadata - '{event,reason}'::text[], '{}'), v_now
  );

  perform tasker.notify_task_events(array[(
    p_task.task_uuid, p_task.transition_count + 1, p_event, p_task.state, p_to_state, null, null, null, null, v_now
  )::tasker.task_transition_log]);
end;
$$;

comment on function tasker.write_task_transition(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) is
$$Writes one transition of a task: its row and its log, and tells listeners. The caller holds the task's lock and has checked the guards.$$;

revoke all on function tasker.write_task_transition(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) from public;
