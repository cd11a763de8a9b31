create or replace function tasker.process_one_by_one(p_taken tasker.step_queue[], p_settings tasker.settings_now, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_row   tasker.step_queue;
  v_count integer := 0;
begin
  -- PostgreSQL caches at most 64 subtransactions of a session, so process at most 60 rows. All other rows stay due.
  foreach v_row in array p_taken[:60] loop
    begin
      if tasker.hide_queue_row(v_row, v_now, v_now + interval '1 second') then
        v_count := v_count + tasker.process_taken_results(array[v_row], p_settings, p_processor);
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.hide_queue_row(
        v_row, v_now,
        v_now + tasker.warn_of_failure(format('the result of step %s of task %s', v_row.step_no, v_row.task_uuid), sqlstate, sqlerrm)
      );
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.process_one_by_one is
$$Processes at most 60 recorded results, each in its own subtransaction, and returns how many it processed. The function
tasker.process_step_results calls it after an error of one result has rolled back all results. Postpones results that
fail. Locks the queue row, the task and the step of each result again, as tasker.process_step_results does.$$;
