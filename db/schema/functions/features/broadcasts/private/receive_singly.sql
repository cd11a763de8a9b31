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
      raise warning using
        errcode = '01000',
        message = format('event %s failed to reach step %s of task %s: %s', v_match.event_uuid, v_match.step_no, v_match.task_uuid, left(sqlerrm, 1000)),
        detail  = format('The code of the error is %s.', sqlstate),
        hint    = 'It is tried again in a minute; the other steps get the event.';
      v_failed := v_failed || v_match;
    end;
  end loop;
  return v_failed;
end;
$$;

comment on function tasker.receive_singly is
$$Gives steps the events that they take (tasker.receive_events), each in a subtransaction, and returns those that failed. The caller holds the tasks' locks.$$;
