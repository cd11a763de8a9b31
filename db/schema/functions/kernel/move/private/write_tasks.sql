create or replace function tasker.write_tasks(
  p_moves      tasker.step_moves[],
  p_tasks      tasker.task_facts[],
  p_processor  uuid
)
  returns void
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_moved tasker.task_transition_log[];
  v_told  uuid[]; -- tasks that ended and for which a step of another task waits
  v_undo  uuid[]; -- tasks of which something is to be undone
  v_keyed uuid[]; -- tasks that ended and whose template limits how many tasks run
begin
  -- A task's counters with the changes by the moves of its steps.
  with counted as (
    select
      c.task_uuid,
      min(c.state) as state,
      min(c.on_failure) as on_failure,
      min(c.transition_count) as transition_count,
      greatest(v_now, min(c.updated_at)) as updated_at,
      sum(c.open_steps)::integer as open_steps,
      sum(c.active_steps)::integer as active_steps,
      sum(c.retrying_steps)::integer as retrying_steps,
      sum(c.suspended_steps)::integer as suspended_steps,
      sum(c.failed_steps)::integer as failed_steps,
      coalesce(array_agg(c.step_no) filter (where c.enqueued), '{}') as enqueued,
      bool_or(c.has_added_edges) as has_added_edges,
      bool_or(c.keyed) as keyed,
      coalesce(max(c.failed_before), 0) as failed_before,
      array_agg(c.step_no) filter (where not c.enqueued) as moved,
      min(c.error) as error,
      min(c.worker_uuid::text)::uuid as worker_uuid
    from (
      select
        f.task_uuid, f.state, f.on_failure, f.transition_count, f.updated_at,
        f.open_steps, f.active_steps, f.retrying_steps, f.suspended_steps, f.failed_steps, null::integer as step_no, f.has_added_edges, f.keyed,
        (f.undo ->> 'failed')::integer as failed_before,
        null::boolean as enqueued, null::text as error,
        null::uuid as worker_uuid
      from unnest(p_tasks) as f
      union all
      select
        m.task_uuid, null, null, null, null,
        tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state),
        tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state),
        (m.to_state = 'waiting_for_retry')::integer - (m.from_state = 'waiting_for_retry')::integer,
        (m.to_state = 'suspended')::integer - (m.from_state = 'suspended')::integer,
        (m.to_state = 'error')::integer - (m.from_state = 'error')::integer,
        m.step_no, null, null, null,
        -- Steps that are only counted, begin to wait or are skipped do not count as enqueued or ended.
        case when m.event in ('Enqueue', 'Resume') then true when m.event not in ('Skip', 'Suspend') then false end,
        m.error,
        m.worker_uuid
      from unnest(p_moves) as m
    ) as c
    group by c.task_uuid
  ),
  judged as (
    select
      c.*,
      case
        -- The task waits for the next instances of a map, or for the end of a race.
        when o.outcome in ('blocked', 'failed') and c.has_added_edges and exists (
          select
            from tasker.timers as m
           where m.task_uuid = any (array[c.task_uuid])
             and m.kind in ('expand_map', 'end_race')
        )
          then 'waiting'
        when o.outcome = 'undo' then 'waiting'
        when c.has_added_edges and c.on_failure in ('fail', 'fail_undo') and o.outcome = 'complete' and tasker.fails_at_end(c.task_uuid)
          then case c.on_failure when 'fail' then 'failed' else 'blocked' end
        else o.outcome
      end as outcome,
      o.outcome = case c.on_failure when 'fail_undo' then 'blocked' else 'undo' end
        or c.has_added_edges and c.on_failure = 'fail_undo' and o.outcome = 'complete' and tasker.fails_at_end(c.task_uuid) as undone
    from counted as c
    cross join lateral (
      select
        tasker.task_outcome(
          c.open_steps, c.active_steps, c.retrying_steps, c.suspended_steps, c.failed_steps - c.failed_before,
          c.enqueued <> '{}', c.on_failure
        ) as outcome
    ) as o
  ),
  logged as (
    insert into tasker.task_log (
      task_uuid, sort_key, path, processor_uuid, login, role, metadata, outcome, created_at
    )
    select
      j.task_uuid, j.transition_count + p.position, p.path, coalesce(j.worker_uuid, p_processor), session_user, tasker.set_role(),
      tasker.task_move_metadata(
        least(p.position, 2), j.state, p.metadata_event, j.moved, j.enqueued, j.failed_steps, j.error
      ),
      tasker.task_move_metadata(
        2, j.state, p.outcome_event, j.moved, j.enqueued, j.failed_steps, j.error
      ), j.updated_at
    from judged as j
    join tasker.task_paths as p
      on p.outcome = j.outcome
     and p.start_state = j.state
     and p.last
  ),
  moved as (
    update tasker.tasks as t
       set open_steps       = j.open_steps,
           active_steps     = j.active_steps,
           retrying_steps   = j.retrying_steps,
           suspended_steps  = j.suspended_steps,
           failed_steps     = j.failed_steps,
           state            = coalesce(p.to_state, t.state),
           complete         = coalesce(p.to_state in ('complete', 'error'), t.complete),
           transition_count = t.transition_count + coalesce(p.position, 0),
           processor_uuid   = case when p.to_state is null then t.processor_uuid end,
           started_at       = coalesce(t.started_at, case when p.to_state is not null then j.updated_at end),
           completed_at     = case when p.to_state in ('complete', 'error') then j.updated_at end,
           updated_at       = j.updated_at
      from judged as j
      left join tasker.task_paths as p
        on p.outcome = j.outcome
       and p.start_state = j.state
       and p.last
     where t.task_uuid = any (array[j.task_uuid])
    returning t.task_uuid, t.transition_count, p.event, j.state as from_state, t.state, t.updated_at,
      t.complete and t.parent_step_uuid is not null and t.state <> j.state as told, j.undone,
      t.complete and j.keyed and t.state <> j.state as keyed
  )
  select array_agg((
      m.task_uuid, m.transition_count, m.event, m.from_state, m.state, null, null, null, null, null, null, m.updated_at, null, null
    )::tasker.task_transition_log) filter (where m.state <> m.from_state),
    array_agg(m.task_uuid) filter (where m.told),
    array_agg(m.task_uuid) filter (where m.undone),
    array_agg(m.task_uuid) filter (where m.keyed)
    into v_moved, v_told, v_undo, v_keyed
    from moved as m;

  if v_undo is not null then
    perform tasker.tasks_moved(null, v_undo, null);
  end if;
  if v_moved is not null then
    perform tasker.notify_task_events(v_moved);
    perform tasker.clear_ended_tasks(array(select m.task_uuid from unnest(v_moved) as m where m.to_state in ('complete', 'error')));
    if v_told is not null or v_keyed is not null then
      perform tasker.tasks_moved(v_told, null, v_keyed);
    end if;
  end if;
end;
$$;

comment on function tasker.write_tasks is
$$Updates the counters of tasks for these moves of their steps and moves each task, with or without step moves, along the path that follows from its counters (tasker.task_outcome, tasker.task_paths): writes row, log, timers and notification.

The number of statements does not depend on the number of moves and tasks. The caller holds the tasks' locks.$$;
