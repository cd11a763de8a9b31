create or replace function tasker.recover_one_by_one(p_taken tasker.step_queue[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_row   tasker.step_queue;
  v_count integer := 0;
begin
  -- Use at most 60 subtransactions, because a session remembers 64 of them. All other rows stay due.
  foreach v_row in array p_taken[:60] loop
    begin
      if tasker.hide_queue_row(v_row, v_now, v_now + interval '1 second') then
        v_count := v_count + tasker.recover_taken(array[v_row], p_processor);
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.hide_queue_row(
        v_row, v_now,
        v_now + tasker.warn_of_failure(format('the recovery of step %s of task %s', v_row.step_no, v_row.task_uuid), sqlstate, sqlerrm)
      );
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.recover_one_by_one is
$$Recovers at most 60 lost steps, each in its own subtransaction. It is called after an error in one step has rolled back the recovery of all steps. Postpones a step whose recovery raises an error. Returns how many steps it recovered. Locks each step again, as tasker.recover_lost_steps does.$$;
