create or replace function tasker.enqueue_ready_steps(p_tasks tasker.task_facts[])
  returns tasker.workflow_step_transition_log[]
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
  v_moves tasker.workflow_step_transition_log[];
begin
  with decided as (
    select
      s.task_uuid,
      s.step_no,
      f.namespace,
      case when tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
        then 'enqueued' else 'cancelled'
      end::tasker.step_state as to_state
    from unnest(p_tasks) as f
    cross join lateral (
      select s.task_uuid, s.step_no, s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents
        from tasker.workflow_steps as s
       where s.task_uuid = f.task_uuid
         and s.state = 'pending'
         and s.pending_parents = 0
      offset 0
    ) as s
    where not (f.halts and f.failed_steps > 0 and tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents))
  ),
  moved as (
    update tasker.workflow_steps as s
       set state            = d.to_state,
           transition_count = s.transition_count + 1
      from decided as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
    returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.state, d.namespace
  ),
  queued as (
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select m.task_uuid, m.step_no, m.namespace, tasker.step_lane(m.state, m.priority), m.named_step_uuid, m.claim_no, v_now
      from moved as m
     where m.state = 'enqueued'
  )
  select array_agg((
      m.task_uuid, m.step_no, m.transition_count,
      case m.state when 'enqueued' then 'Enqueue' else 'Skip' end,
      'pending', m.state, m.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from moved as m;

  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
    where m.to_state = 'enqueued';
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.enqueue_ready_steps(tasker.task_facts[]) is
$$Looks through the steps of open tasks for those that wait for nothing, and enqueues or skips each: what settle_steps does for children, here for steps that became ready in another way (a start, a direct call, an operator). Returns the moves. Linear in the tasks' steps.

The caller holds the tasks' locks and knows their facts, settles the moves, logs them and evaluates the tasks.$$;

revoke all on function tasker.enqueue_ready_steps(tasker.task_facts[]) from public;
