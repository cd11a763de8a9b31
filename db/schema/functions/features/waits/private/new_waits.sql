create or replace function tasker.new_waits(p_task tasker.tasks, p_task_uuids uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select (
        null, u.task_uuid, s.step_no, 'pending', null, null, 'Suspend', 'suspended', null, null, null, null, null, null,
        null, null, null, null, null, null, null, null, null, null, null, null, p_task.requested_at
      )::tasker.step_moves
      from unnest(p_task_uuids) as u (task_uuid)
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_task.named_task_uuid
       and s.total_parents = 0
       and s.await is not null
  );
end;
$$;

comment on function tasker.new_waits(tasker.tasks, uuid[]) is
$$The moves that creation makes of first steps without a handler, for tasker.begin_waits.$$;

revoke all on function tasker.new_waits(tasker.tasks, uuid[]) from public;
