create or replace function tasker.new_waits(p_task tasker.tasks, p_task_uuids uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => s.step_no, p_from_state => 'pending', p_event => 'Suspend',
      p_to_state => 'suspended', p_moved_at => p_task.requested_at
    )
      from unnest(p_task_uuids) as u (task_uuid)
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_task.named_task_uuid
       and s.total_parents = 0
       and s.await is not null
  );
end;
$$;

comment on function tasker.new_waits is
$$The moves that creation makes of first steps without a handler, for tasker.begin_waits.$$;
