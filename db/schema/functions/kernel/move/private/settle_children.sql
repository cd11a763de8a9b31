create or replace function tasker.settle_children(
  p_moves      tasker.step_moves[],
  p_template   uuid,
  p_halted     uuid[],
  p_namespace  text
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz         := tasker.write_clock();
  v_counts  tasker.step_moves[] := tasker.child_moves(p_moves, p_template);
  v_pending integer;
  v_moves   tasker.step_moves[];
  v_effects smallint;
  v_mapped  uuid[];
  v_maps    integer[];
begin
  if cardinality(v_counts) = 0 then
    return '{}';
  end if;

  -- A map stays pending, and a note lets its instances start.
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied,
           state             = coalesce(
             tasker.child_state(
               s.state, s.join_mode, s.total_parents, s.pending_parents - d.settled, s.satisfied_parents + d.satisfied,
               s.task_uuid = any (p_halted) or s.for_each is not null, s.await is not null
             ),
             s.state
           ),
           transition_count  = s.transition_count + (tasker.child_state(
             s.state, s.join_mode, s.total_parents, s.pending_parents - d.settled, s.satisfied_parents + d.satisfied,
             s.task_uuid = any (p_halted) or s.for_each is not null, s.await is not null
           ) is not null)::integer,
           moved_at          = greatest(s.moved_at, v_now)
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
       and s.state = 'pending'
    returning
      s.task_uuid, s.step_no, s.state, s.claim_no, s.transition_count, s.priority, s.named_step_uuid, s.moved_at,
      tasker.effects_of_move(s.effects, 'pending', s.state) as effects,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands
  )
  select
    count(*),
    array_agg(tasker.step_move(
      p_task_uuid => c.task_uuid, p_step_no => c.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(c.state), p_to_state => c.state, p_claim_no => c.claim_no,
      p_transition_count => c.transition_count, p_priority => c.priority, p_named_step_uuid => c.named_step_uuid,
      p_moved_at => c.moved_at, p_effects => c.effects
    )) filter (where c.state <> 'pending'),
    bit_or(c.effects),
    array_agg(c.task_uuid) filter (where c.expands),
    array_agg(c.step_no) filter (where c.expands)
    into v_pending, v_moves, v_effects, v_mapped, v_maps
    from counted as c;

  -- For a child that is no longer pending, only the counters change.
  if v_pending < cardinality(v_counts) then
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
       and s.state <> 'pending'
       and not exists (select from unnest(v_moves) as m where m.task_uuid = d.task_uuid and m.step_no = d.step_no);
  end if;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
  if v_moves is null then
    return '{}';
  end if;
  return tasker.write_ready(v_moves, p_namespace, v_now, v_effects);
end;
$$;

comment on function tasker.settle_children is
$$Adds the steps that these moves settled to their children's counters, across tasks. Decides about each child that no longer waits for a parent (tasker.child_state), and writes the child's move. Returns the children that moved. p_template is the same as for tasker.child_moves. p_halted are the tasks that start no more steps. p_namespace is the namespace in whose queue the children are enqueued, or null if the tasks have several namespaces.

tasker.write_children does the same for one step. tasker.count_children only counts. The moves must have been written, and must be in the order of their keys. The caller holds the tasks' locks.$$;
