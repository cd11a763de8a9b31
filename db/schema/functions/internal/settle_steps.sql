create or replace function tasker.settle_steps(
  p_moves  tasker.workflow_step_transition_log[],
  p_tasks  tasker.task_facts[]
)
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
  v_now       timestamptz := tasker.clock();
  v_moves     tasker.workflow_step_transition_log[] := p_moves;
  v_last      tasker.workflow_step_transition_log[] := p_moves;
  -- Partitions outside the span of the tasks, which come in the order of their UUIDs, are not opened.
  v_span      uuid[] := array[(p_tasks[1]).task_uuid, (p_tasks[cardinality(p_tasks)]).task_uuid];
  v_namespace text; -- of all the tasks, if it is one
  v_halted    uuid[];
  v_enqueued  uuid[] := '{}';
  v_step_nos  integer[] := '{}';
  v_found     record;
begin
  -- A template that halts enqueues nothing more after a failure, be it one of these moves.
  select
    case when min(f.namespace) = max(f.namespace) then min(f.namespace) end,
    array_agg(f.task_uuid) filter (
      where f.halts
        and (
          f.failed_steps > 0
          or f.task_uuid in (select m.task_uuid from unnest(p_moves) as m where m.to_state = 'error')
        )
    )
    into v_namespace, v_halted
    from unnest(p_tasks) as f;

  -- Each turn goes one level down: a step that is skipped settles its own edges in the next one.
  loop
    with settled as (
      select
        m.task_uuid,
        e.to_step_no,
        count(*)::integer as settled,
        count(*) filter (
          where m.to_state <> 'cancelled'
            and (
              e.condition is null
              or tasker.condition_holds(e.condition, (
                select p.results
                  from tasker.workflow_steps as p
                 where p.task_uuid = m.task_uuid
                   and p.task_uuid between v_span[1] and v_span[2]
                   and p.step_no = m.step_no
              ))
            )
        )::integer as satisfied
      from unnest(v_last) as m
      cross join lateral (
        select t.named_task_uuid, t.has_added_edges
          from tasker.tasks as t
         where t.task_uuid = m.task_uuid
           and t.task_uuid between v_span[1] and v_span[2]
        offset 0
      ) as t
      cross join lateral tasker.step_children(m.task_uuid, t.named_task_uuid, t.has_added_edges, m.step_no) as e
      where m.to_state in ('complete', 'cancelled', 'resolved_manually')
      group by m.task_uuid, e.to_step_no
    ),
    decided as (
      select
        d.*,
        case
          when c.state <> 'pending' or c.pending_parents > d.settled
            then null
          when not tasker.join_holds(c.join_mode, c.total_parents, 0, c.satisfied_parents + d.satisfied)
            then 'cancelled'
          when v_halted is null or d.task_uuid <> all (v_halted)
            then 'enqueued'
        end::tasker.step_state as to_state
      from settled as d
      cross join lateral (
        select c.state, c.join_mode, c.total_parents, c.pending_parents, c.satisfied_parents
          from tasker.workflow_steps as c
         where c.task_uuid = d.task_uuid
           and c.task_uuid between v_span[1] and v_span[2]
           and c.step_no = d.to_step_no
        offset 0
      ) as c
    ),
    counted as (
      update tasker.workflow_steps as s
         set pending_parents   = s.pending_parents - d.settled,
             satisfied_parents = s.satisfied_parents + d.satisfied,
             state             = coalesce(d.to_state, s.state),
             transition_count  = s.transition_count + (d.to_state is not null)::integer
        from decided as d
       where s.task_uuid = any (array[d.task_uuid])
         and s.step_no = d.to_step_no
      returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, d.to_state
    ),
    queued as (
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
      select
        c.task_uuid, c.step_no, coalesce(v_namespace, tasker.namespace_of_task(c.task_uuid)),
        tasker.step_lane('enqueued', c.priority), c.named_step_uuid, c.claim_no, v_now
      from counted as c
      where c.to_state = 'enqueued'
      -- Steps of one task lie together, so that they are claimed together.
      order by c.task_uuid, c.step_no
    )
    select
      array_agg((
        c.task_uuid, c.step_no, c.transition_count,
        case c.to_state when 'enqueued' then 'Enqueue' else 'Skip' end,
        'pending', c.to_state, c.claim_no, null, null, null, null, null, v_now
      )::tasker.workflow_step_transition_log) as moves,
      array_agg(c.task_uuid) filter (where c.to_state = 'enqueued') as enqueued,
      array_agg(c.step_no) filter (where c.to_state = 'enqueued') as step_nos,
      bool_or(c.to_state = 'cancelled') as skipped
      into v_found
      from counted as c
     where c.to_state is not null;

    v_moves := v_moves || v_found.moves;
    v_enqueued := v_enqueued || v_found.enqueued;
    v_step_nos := v_step_nos || v_found.step_nos;
    exit when v_found.skipped is not true;
    v_last := v_found.moves;
  end loop;

  if v_namespace is null then
    perform tasker.announce_queue_rows(v_enqueued, v_step_nos);
  elsif cardinality(v_enqueued) > 0 then
    perform tasker.announce_steps(v_namespace, v_enqueued, v_step_nos);
  end if;
  return v_moves;
end;
$$;

comment on function tasker.settle_steps(tasker.workflow_step_transition_log[], tasker.task_facts[]) is
$$Counts the steps that these moves settled down at their children, across tasks, and decides about each child that waits for nothing more: its join holds, and it goes into the queue, unless the template halts on the failure that the task has; or it is skipped, which settles its own children. Returns the moves and those it has made.

To be called once for each settled step. The caller holds the tasks' locks and knows their facts, logs the moves and evaluates the tasks.$$;

revoke all on function tasker.settle_steps(tasker.workflow_step_transition_log[], tasker.task_facts[]) from public;
