create or replace function tasker.evaluate_tasks(
  p_moves  tasker.workflow_step_transition_log[],
  p_tasks  tasker.task_facts[]
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
  v_moved tasker.task_transition_log[];
begin
  insert into tasker.workflow_step_transition_log select m.* from unnest(p_moves) as m;

  -- A task's counters, and what its steps' moves add to them.
  with counted as (
    select
      c.task_uuid,
      min(c.state) as state,
      min(c.transition_count) as transition_count,
      sum(c.open_steps)::integer as open_steps,
      sum(c.active_steps)::integer as active_steps,
      sum(c.retrying_steps)::integer as retrying_steps,
      sum(c.failed_steps)::integer as failed_steps,
      bool_or(c.enqueued) as enqueued
    from (
      select
        f.task_uuid, f.state, f.transition_count,
        f.open_steps, f.active_steps, f.retrying_steps, f.failed_steps, false as enqueued
      from unnest(p_tasks) as f
      union all
      select
        m.task_uuid, null, null,
        tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state),
        tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state),
        (m.to_state = 'waiting_for_retry')::integer - (m.from_state = 'waiting_for_retry')::integer,
        (m.to_state = 'error')::integer - (m.from_state = 'error')::integer,
        m.event = 'Enqueue'
      from unnest(p_moves) as m
    ) as c
    group by c.task_uuid
  ),
  judged as (
    select
      c.*,
      tasker.task_outcome(c.open_steps, c.active_steps, c.retrying_steps, c.failed_steps, c.enqueued) as outcome
    from counted as c
  ),
  logged as (
    insert into tasker.task_transition_log (
      task_uuid, sort_key, event, from_state, to_state, metadata, created_at
    )
    select
      j.task_uuid, j.transition_count + p.position, p.event, p.from_state, p.to_state,
      -- Found in a state that the engine passes through without a stop: whoever moved it there is gone.
      case when p.position = 1 and j.state in ('initializing', 'enqueuing_steps', 'evaluating_results')
        then '{"event": "ProcessorCrashed"}'::jsonb
      end,
      v_now
    from judged as j
    join tasker.task_paths as p
      on p.outcome = j.outcome
     and p.start_state = j.state
  ),
  moved as (
    update tasker.tasks as t
       set open_steps       = j.open_steps,
           active_steps     = j.active_steps,
           retrying_steps   = j.retrying_steps,
           failed_steps     = j.failed_steps,
           state            = coalesce(p.to_state, t.state),
           transition_count = t.transition_count + coalesce(p.position, 0),
           processor_uuid   = case when p.to_state is null then t.processor_uuid end,
           started_at       = coalesce(t.started_at, v_now),
           completed_at     = case when p.to_state = 'complete' then v_now end,
           finalization_claimed_at = case when p.to_state is null then t.finalization_claimed_at end,
           finalization_claimed_until = case when p.to_state is null then t.finalization_claimed_until end,
           finalization_claimed_by = case when p.to_state is null then t.finalization_claimed_by end,
           updated_at       = v_now
      from judged as j
      left join tasker.task_paths as p
        on p.outcome = j.outcome
       and p.start_state = j.state
       and p.last
     where t.task_uuid = any (array[j.task_uuid])
    returning t.task_uuid, t.transition_count, p.event, j.state as from_state, t.state
  )
  select array_agg((
      m.task_uuid, m.transition_count, m.event, m.from_state, m.state, null, null, null, null, v_now
    )::tasker.task_transition_log)
    into v_moved
    from moved as m
   where m.state <> m.from_state;

  if v_moved is not null then
    perform tasker.notify_task_events(v_moved);
    perform tasker.clear_ended_tasks(array(select m.task_uuid from unnest(v_moved) as m where m.to_state = 'complete'));
  end if;
end;
$$;

comment on function tasker.evaluate_tasks(tasker.workflow_step_transition_log[], tasker.task_facts[]) is
$$Logs these moves of steps, brings the counters of their tasks up to date, and moves each task, whether it has moves or not, along the path that they decide (tasker.task_paths): its row, its log, its timers, and word to listeners.

Five statements whatever the number of moves and tasks. The caller holds the tasks' locks, has written the steps' rows and knows the facts of each task that has a move.$$;

revoke all on function tasker.evaluate_tasks(tasker.workflow_step_transition_log[], tasker.task_facts[]) from public;
