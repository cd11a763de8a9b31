create or replace function tasker.end_of_wait(p_step tasker.workflow_steps, p_wait jsonb)
  returns jsonb
  language plpgsql
as $$
declare
  v_signal tasker.task_signals;
  v_end    tasker.wait_ends;
begin
  select g.*
    into v_signal
    from tasker.task_signals as g
   where g.task_uuid = p_step.task_uuid
     and g.step_no is null
     and tasker.takes_signal(p_wait, g.name, g.payload, g.sent_by)
   order by g.signal_no
   limit 1;
  if found then
    update tasker.task_signals as g
       set step_no     = p_step.step_no,
           consumed_at = tasker.write_clock()
     where g.task_uuid = v_signal.task_uuid
       and g.signal_no = v_signal.signal_no;
    return jsonb_build_object('by', 'signal') || tasker.sent_answer(v_signal.name, v_signal.payload, v_signal.sent_at);
  end if;

  v_end := tasker.wait_end(p_wait, '{}', tasker.wait_since(p_wait, null));
  return case when v_end.due_at <= tasker.write_clock() then jsonb_build_object('by', v_end.ended_by) end;
end;
$$;

comment on function tasker.end_of_wait is
$$Returns the outcome of a wait that a function is about to begin, if the wait is over already: a kept signal, which the step takes, or a time that has passed. Returns null if the function has to wait. The caller holds the lock of the task.$$;
