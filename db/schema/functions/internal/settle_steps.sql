create or replace function tasker.settle_steps(p_moves tasker.workflow_step_transition_log[])
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
  v_now        timestamptz := tasker.clock();
  v_moves      tasker.workflow_step_transition_log[] := p_moves;
  v_last       tasker.workflow_step_transition_log[] := p_moves;
  v_failed     uuid[];
  v_enqueued   uuid[] := '{}';
  v_step_nos   integer[] := '{}';
  v_namespaces text[] := '{}';
  v_found      record;
begin
  v_failed := array(select m.task_uuid from unnest(p_moves) as m where m.to_state = 'error');

  -- Each turn goes one level down: a step that is skipped settles its own edges in the next one.
  loop
    with settled as (
      select
        m.task_uuid,
        e.to_step_no,
        count(*)::integer as settled,
        count(*) filter (
          where m.to_state <> 'cancelled' and tasker.condition_holds(e.condition, p.results)
        )::integer as satisfied,
        min(k.namespace) as namespace,
        bool_or(k.on_failure = 'halt' and (k.failed_steps > 0 or m.task_uuid = any (v_failed))) as halted
      from unnest(v_last) as m
      cross join lateral (
        select e.to_step_no, e.condition
          from tasker.workflow_step_edges as e
         where e.task_uuid = m.task_uuid
           and e.from_step_no = m.step_no
        offset 0
      ) as e
      -- The parent's results are looked at only if the edge has a condition.
      left join lateral (
        select p.results
          from tasker.workflow_steps as p
         where p.task_uuid = m.task_uuid
           and p.step_no = m.step_no
           and e.condition is not null
        offset 0
      ) as p
        on true
      cross join lateral (
        select n.name as namespace, k.on_failure, t.failed_steps
          from tasker.tasks as t
          join tasker.named_tasks as k
            on k.named_task_uuid = t.named_task_uuid
          join tasker.task_namespaces as n
            on n.task_namespace_uuid = k.task_namespace_uuid
         where t.task_uuid = m.task_uuid
        offset 0
      ) as k
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
          when not d.halted
            then 'enqueued'
        end::tasker.step_state as to_state
      from settled as d
      cross join lateral (
        select c.state, c.join_mode, c.total_parents, c.pending_parents, c.satisfied_parents
          from tasker.workflow_steps as c
         where c.task_uuid = d.task_uuid
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
       where s.task_uuid = d.task_uuid
         and s.step_no = d.to_step_no
      returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, d.to_state, d.namespace
    ),
    queued as (
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
      select
        c.task_uuid, c.step_no, c.namespace, tasker.step_lane('enqueued', c.priority),
        c.named_step_uuid, c.claim_no, v_now
      from counted as c
      where c.to_state = 'enqueued'
    )
    select
      array_agg((
        c.task_uuid, c.step_no, c.transition_count,
        case c.to_state when 'enqueued' then 'Enqueue' else 'Skip' end,
        'pending', c.to_state, c.claim_no, null, null, null, null, null, v_now
      )::tasker.workflow_step_transition_log) as moves,
      array_agg(c.task_uuid) filter (where c.to_state = 'enqueued') as enqueued,
      array_agg(c.step_no) filter (where c.to_state = 'enqueued') as step_nos,
      array_agg(distinct c.namespace) filter (where c.to_state = 'enqueued') as namespaces,
      bool_or(c.to_state = 'cancelled') as skipped
      into v_found
      from counted as c
     where c.to_state is not null;

    v_moves := v_moves || v_found.moves;
    v_enqueued := v_enqueued || v_found.enqueued;
    v_step_nos := v_step_nos || v_found.step_nos;
    v_namespaces := v_namespaces || v_found.namespaces;
    exit when v_found.skipped is not true;
    v_last := v_found.moves;
  end loop;

  perform tasker.announce_steps(n.namespace, v_enqueued, v_step_nos)
     from (select distinct u.namespace from unnest(v_namespaces) as u (namespace)) as n;
  return v_moves;
end;
$$;

comment on function tasker.settle_steps(tasker.workflow_step_transition_log[]) is
$$Counts the steps that these moves settled down at their children, across tasks, and decides about each child that waits for nothing more: its join holds, and it goes into the queue, unless the template halts on the failure that the task has; or it is skipped, which settles its own children. Returns the moves and those it has made.

To be called once for each settled step. The caller holds the tasks' locks, logs the moves and evaluates the tasks.$$;

revoke all on function tasker.settle_steps(tasker.workflow_step_transition_log[]) from public;
