create or replace function tasker.has_to_undo(p_task_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  -- Claims do not lock the task, so lock the steps. A step that is being claimed counts.
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
$$Returns whether a step with a compensation is done, or has been claimed, and its effect belongs to the task. Locks the steps. The caller holds the task's lock.$$;
