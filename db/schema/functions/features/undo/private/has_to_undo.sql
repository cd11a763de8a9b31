create or replace function tasker.has_to_undo(p_task_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  -- Claims do not lock the task. So lock the steps, so that a step which is just being claimed counts, too.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.state not in ('complete', 'cancelled', 'resolved_manually')
    order by s.step_no
      for no key update;
  return exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null
       and s.owner_uuid is null
       and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually'))
  );
end;
$$;

comment on function tasker.has_to_undo is
$$Returns whether a task has a step to undo: a step with a compensation that has completed or was ever claimed, and whose effect belongs to this task. Locks the task's open steps. The caller holds the task's lock.$$;
