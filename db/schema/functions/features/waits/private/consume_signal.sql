create or replace function tasker.consume_signal(p_signal tasker.task_signals, p_step_no integer)
  returns tasker.step_moves
  language plpgsql
as $$
begin
  update tasker.task_signals as g
     set step_no     = p_step_no,
         consumed_at = tasker.write_clock()
   where g.task_uuid = p_signal.task_uuid
     and g.signal_no = p_signal.signal_no;
  return tasker.ended_wait(
    p_signal.task_uuid, p_step_no, 'signal', 'complete', tasker.sent_answer(p_signal.name, p_signal.payload, p_signal.sent_at),
    format('signal "%s"', p_signal.name), p_signal.sent_by,
    exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = p_signal.task_uuid
         and s.step_no = p_step_no
         and s.await is null
    )
  );
end;
$$;

comment on function tasker.consume_signal is
$$Records that a step takes a signal, and returns the move that ends the step's wait.$$;
