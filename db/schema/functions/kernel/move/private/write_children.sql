create or replace function tasker.write_children(
  p_move    tasker.step_moves,
  p_task    tasker.task_facts,
  p_halted  boolean
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now         timestamptz := tasker.write_clock();
  v_satisfied   integer     := (p_move.to_state <> 'cancelled')::integer;
  v_children    integer[];
  v_conditional boolean;
  v_pending     integer[];
  v_moves       tasker.step_moves[];
  v_effects     smallint;
begin
  select array_agg(e.to_step_no), bool_or(e.condition is not null or e.outcome is not null)
    into v_children, v_conditional
    from tasker.named_task_edges as e
   where e.named_task_uuid = p_task.named_task_uuid
     and e.from_step_no = p_move.step_no;

  -- Conditions, outcomes and added edges need a decision for each edge. So use the function for many moves.
  if v_conditional or p_task.has_added_edges then
    return tasker.settle_children(
      array[p_move], case when not p_task.has_added_edges then p_task.named_task_uuid end,
      case when p_halted then array[p_task.task_uuid] else '{}' end, p_task.namespace
    );
  elsif v_children is null then
    return '{}';
  end if;

  -- For a child that is no longer pending, only the counters change.
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - 1,
           satisfied_parents = s.satisfied_parents + v_satisfied,
           state             = coalesce(
             tasker.child_state(
               s.state, s.join_mode, s.total_parents, s.pending_parents - 1, s.satisfied_parents + v_satisfied, p_halted,
               s.await is not null
             ),
             s.state
           ),
           transition_count  = s.transition_count + (tasker.child_state(
             s.state, s.join_mode, s.total_parents, s.pending_parents - 1, s.satisfied_parents + v_satisfied, p_halted,
             s.await is not null
           ) is not null)::integer,
           moved_at          = greatest(s.moved_at, v_now)
     where s.task_uuid = p_move.task_uuid
       and s.step_no = any (v_children)
       and s.state = 'pending'
    returning s.step_no, s.state, s.claim_no, s.transition_count, s.priority, s.named_step_uuid, s.moved_at,
      tasker.effects_of_move(s.effects, 'pending', s.state) as effects
  )
  select
    coalesce(array_agg(c.step_no), '{}'),
    array_agg(tasker.step_move(
      p_task_uuid => p_move.task_uuid, p_step_no => c.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(c.state), p_to_state => c.state, p_claim_no => c.claim_no,
      p_transition_count => c.transition_count, p_priority => c.priority, p_named_step_uuid => c.named_step_uuid,
      p_moved_at => c.moved_at, p_effects => c.effects
    )) filter (where c.state <> 'pending'),
    bit_or(c.effects)
    into v_pending, v_moves, v_effects
    from counted as c;
  if cardinality(v_pending) < cardinality(v_children) then
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - 1,
           satisfied_parents = s.satisfied_parents + v_satisfied
     where s.task_uuid = p_move.task_uuid
       and s.step_no = any (v_children)
       and s.step_no <> all (v_pending);
  end if;
  if v_moves is null then
    return '{}';
  end if;
  return tasker.write_ready(v_moves, p_task.namespace, v_now, v_effects);
end;
$$;

comment on function tasker.write_children is
$$Adds a settled step to its children's counters, decides about each child (tasker.child_state), and writes the child's move by key: the step, its log and its queue row. Returns the children that moved.

tasker.settle_children does the same for many steps. The caller holds the task's lock.$$;
