create or replace function tasker.ready_moves(p_tasks tasker.task_facts[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(s.to_state), p_to_state => coalesce(s.to_state, 'pending')
    )
      from unnest(p_tasks) as f
     cross join lateral (
       select
         s.task_uuid, s.step_no,
         tasker.child_state(
           s.state, s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents,
           tasker.task_halts(f.on_failure, f.failed_steps) or s.for_each is not null, s.await is not null
         ) as to_state,
         s.for_each is not null as maps
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.state = 'pending'
          and (s.pending_parents = 0 or s.join_mode = 'first' and s.satisfied_parents > 0)
       offset 0
     ) as s
     where s.to_state is not null
        or s.maps
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.ready_moves is
$$Returns the moves of those steps of open tasks that no longer wait for a parent (tasker.child_state). It finds steps that became ready because of a start, a direct call or an operator, and not because of a parent. A map does not move, but its note is written. The cost is linear in the number of the tasks' steps.

The caller holds the tasks' locks.$$;
