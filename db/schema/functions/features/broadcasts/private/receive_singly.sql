create or replace function tasker.receive_singly(p_matches tasker.event_matches[], p_processor uuid)
  returns tasker.event_matches[]
  language plpgsql
as $$
declare
  v_match  tasker.event_matches;
  v_failed tasker.event_matches[] := '{}';
begin
  foreach v_match in array p_matches loop
    begin
      perform tasker.receive_events(array[v_match], p_processor);
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.warn_of_failure(
        format('the delivery of event %s to step %s of task %s', v_match.event_uuid, v_match.step_no, v_match.task_uuid),
        sqlstate, sqlerrm
      );
      v_failed := v_failed || v_match;
    end;
  end loop;
  return v_failed;
end;
$$;

comment on function tasker.receive_singly is
$$Gives each step the event that it takes (tasker.receive_events) in a subtransaction of its own. Returns the matches of the steps that failed. The caller holds the tasks' locks.$$;
