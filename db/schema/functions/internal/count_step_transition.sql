create or replace function tasker.count_step_transition(
  p_task_uuid   uuid,
  p_from_state  tasker.step_state,
  p_to_state    tasker.step_state
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
begin
  update tasker.tasks as t
     set open_steps     = t.open_steps + (not n.terminal)::integer - (not o.terminal)::integer,
         active_steps   = t.active_steps + n.in_processing_pipeline::integer - o.in_processing_pipeline::integer,
         retrying_steps = t.retrying_steps
           + (n.state = 'waiting_for_retry')::integer - (o.state = 'waiting_for_retry')::integer,
         failed_steps   = t.failed_steps + n.error::integer - o.error::integer,
         updated_at     = tasker.clock()
    from tasker.step_states as o
   cross join tasker.step_states as n
   where t.task_uuid = p_task_uuid
     and o.state = p_from_state
     and n.state = p_to_state;
end;
$$;

comment on function tasker.count_step_transition(uuid, tasker.step_state, tasker.step_state) is
$$Moves one step from one counter of its task to another. The caller holds the task's lock.$$;

revoke all on function tasker.count_step_transition(uuid, tasker.step_state, tasker.step_state) from public;
