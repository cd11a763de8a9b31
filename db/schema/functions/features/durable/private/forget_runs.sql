create or replace function tasker.forget_runs(p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
as $$
declare
  v_nos integer[] := array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = any (p_step_nos)
       and (s.function_round is not null or s.wait is not null)
  );
begin
  if v_nos = '{}' then
    return;
  end if;
  perform tasker.forget_kept(array_fill(p_task_uuid, array[cardinality(v_nos)]), v_nos);
  update tasker.workflow_steps as s
     set function_round = 0,
         function_state = null
   where s.task_uuid = p_task_uuid
     and s.step_no = any (v_nos)
     and s.function_round is not null;
end;
$$;

comment on function tasker.forget_runs is
$$Makes the functions of steps that run again begin at their first call: deletes their kept results, their waits and the state from continue_step. Signals and events that the functions took stay taken. The door steps_rerun calls this function, so the caller holds the locks.$$;
