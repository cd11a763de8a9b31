create or replace function tasker.root_moves(p_named_task_uuid uuid, p_task_uuids uuid[], p_at timestamptz)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => s.step_no, p_from_state => 'pending',
      p_event => case when s.await is null then 'Enqueue' else 'Suspend' end,
      p_to_state => case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end,
      p_moved_at => p_at, p_effects => s.effects
    )
      from unnest(p_task_uuids) as u (task_uuid)
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_named_task_uuid
       and s.total_parents = 0
       and s.effects <> 0
       and s.for_each is null
     order by u.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.root_moves is
$$Returns the first moves of those steps of new tasks that have effects. The rows of the steps have been inserted.$$;
