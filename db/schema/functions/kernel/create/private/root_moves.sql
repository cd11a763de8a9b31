create or replace function tasker.root_moves(p_task tasker.tasks, p_task_uuids uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => s.step_no, p_from_state => 'pending', p_event => 'Enqueue', p_to_state => 'enqueued',
      p_effects => s.effects
    )
      from unnest(p_task_uuids) as u (task_uuid)
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_task.named_task_uuid
       and s.total_parents = 0
       and s.effects <> 0
       and s.await is null
       and s.for_each is null
     order by u.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.root_moves is
$$Returns the first moves of the steps of new tasks that have effects. Their rows have been inserted.$$;
