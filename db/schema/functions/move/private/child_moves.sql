create or replace function tasker.child_moves(
  p_moves   tasker.step_moves[],
  p_halted  uuid[],
  p_held    boolean
)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_span  uuid[] := array[(p_moves[1]).task_uuid, (p_moves[cardinality(p_moves)]).task_uuid];
  v_moves tasker.step_moves[];
begin
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
              select tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no)
                from tasker.workflow_steps as p
               where p.task_uuid = m.task_uuid
                 and p.task_uuid between v_span[1] and v_span[2]
                 and p.step_no = m.step_no
            ))
          )
      )::integer as satisfied
    from unnest(p_moves) as m
    cross join lateral (
      select t.named_task_uuid, t.has_added_edges
        from tasker.tasks as t
       where t.task_uuid = m.task_uuid
         and t.task_uuid between v_span[1] and v_span[2]
      offset 0
    ) as t
    cross join lateral tasker.step_children(m.task_uuid, t.named_task_uuid, t.has_added_edges, m.step_no) as e
    where m.to_state in ('complete', 'cancelled', 'resolved_manually')
      and m.event is not null
    group by m.task_uuid, e.to_step_no
  ),
  decided as (
    select
      d.*,
      c.state,
      case when not p_held then tasker.child_state(
        c.state, c.join_mode, c.total_parents, c.pending_parents - d.settled, c.satisfied_parents + d.satisfied,
        d.task_uuid = any (p_halted) or c.maps, c.awaits
      ) end as to_state
    from settled as d
    cross join lateral (
      select c.state, c.join_mode, c.total_parents, c.pending_parents, c.satisfied_parents, c.await is not null as awaits,
             c.for_each is not null as maps
        from tasker.workflow_steps as c
       where c.task_uuid = d.task_uuid
         and c.task_uuid between v_span[1] and v_span[2]
         and c.step_no = d.to_step_no
      offset 0
    ) as c
  )
  select array_agg((
      null, d.task_uuid, d.to_step_no, d.state, null, null,
      tasker.ready_event(d.to_state),
      coalesce(d.to_state, d.state), null, null, d.settled, d.satisfied, null, null, null, null, null, null, null, null,
      null, null, null, null, null, null, null
    )::tasker.step_moves order by d.task_uuid, d.to_step_no)
    into v_moves
    from decided as d;
  return v_moves;
end;
$$;

comment on function tasker.child_moves(tasker.step_moves[], uuid[], boolean) is
$$Returns the moves of the children of the steps that these moves settled, across tasks: each child counts its settled parents and, when it waits for none, moves as tasker.child_state decides; if p_held, an orchestrator decides later. p_halted: tasks that start no more steps.

Call it once for each settled step, after its move is written, with moves in the order of the tasks' UUIDs. The caller holds the tasks' locks.$$;

revoke all on function tasker.child_moves(tasker.step_moves[], uuid[], boolean) from public;
