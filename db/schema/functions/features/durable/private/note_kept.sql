create or replace function tasker.note_kept(p_task_uuid uuid, p_step_no integer, p_attempts integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set attempts       = p_attempts,
         lost_count     = 0,
         function_round = coalesce(s.function_round, 0),
         effects        = s.effects | 64::smallint
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and (s.attempts <> p_attempts or s.lost_count <> 0 or s.function_round is null);
end;
$$;

comment on function tasker.note_kept is
$$Records in a step's row that its function has kept a result. The step's attempts and lost workers are counted from this result on. The caller holds the step's lock.$$;
