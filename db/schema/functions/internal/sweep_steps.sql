create or replace function tasker.sweep_steps(p_task_uuid uuid, p_sweep text, p_reason text, p_actor text)
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
  v_now     timestamptz := tasker.clock();
  v_settled integer[];
begin
  -- Claims and renewals need no lock on the task: what is read below must not change before it is written.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.state not in ('complete', 'cancelled', 'resolved_manually')
    order by s.step_no
      for no key update;

  -- The log first: it is written from the states that the steps are still in.
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, actor, reason, created_at
  )
  select
    s.task_uuid,
    s.step_no,
    s.transition_count + w.position,
    w.event,
    w.from_state,
    w.to_state,
    s.claim_no,
    s.worker_uuid,
    p_actor,
    p_reason,
    v_now
  from tasker.workflow_steps as s
  join tasker.step_sweeps as w
    on w.sweep = p_sweep
   and w.start_state = s.state
  where s.task_uuid = p_task_uuid;

  with swept as (
    update tasker.workflow_steps as s
       set state            = w.to_state,
           transition_count = s.transition_count + w.position,
           lease_until      = null,
           next_retry_at    = null,
           attempts         = case when p_sweep = 'reset' then 0 else s.attempts end,
           lost_count       = case when p_sweep = 'reset' then 0 else s.lost_count end,
           backoff_request_seconds = case when p_sweep <> 'reset' then s.backoff_request_seconds end,
           processed_at     = case when w.to_state = 'complete' then v_now end,
           last_failure_at  = case when w.to_state = 'error' then v_now else s.last_failure_at end,
           last_error       = case when w.to_state = 'error' then coalesce(p_reason, s.last_error) else s.last_error end
      from tasker.step_sweeps as w
     where s.task_uuid = p_task_uuid
       and w.sweep = p_sweep
       and w.start_state = s.state
       and w.last
    returning s.step_no, s.state
  )
  select coalesce(array_agg(d.step_no), '{}')
    into v_settled
    from swept as d
   where d.state in ('complete', 'cancelled');

  perform tasker.settle_children(p_task_uuid, v_settled);
  if p_sweep <> 'reset' then
    delete from tasker.step_queue as q where q.task_uuid = p_task_uuid;
    delete from tasker.timers as m where m.task_uuid = p_task_uuid;
  end if;
  perform tasker.count_steps(p_task_uuid);
end;
$$;

comment on function tasker.sweep_steps(uuid, text, text, text) is
$$Moves all steps of a task as tasker.step_sweeps says ("cancel", "fail" or "reset"), and unless it is a reset takes them and the task off the queue and the timers.

A few statements however many steps there are. Locks the steps; the caller holds the task's lock.$$;

revoke all on function tasker.sweep_steps(uuid, text, text, text) from public;
