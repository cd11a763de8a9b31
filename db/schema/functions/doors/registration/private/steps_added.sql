create or replace function tasker.steps_added(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
as $$
begin
  perform tasker.mark_sealed_additions(p_task_uuid, p_last);
  perform tasker.hold_additions(p_task_uuid, p_last);
end;
$$;

comment on function tasker.steps_added is
$$Door: steps with numbers above p_last were added to a task. The caller holds the task's lock.$$;
