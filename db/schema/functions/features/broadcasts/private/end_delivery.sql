create or replace function tasker.end_delivery(p_event_uuid uuid)
  returns timestamptz
  language plpgsql
as $$
declare
  v_retry timestamptz := (
    select r.due_at from tasker.broadcast_retries as r where r.event_uuid = p_event_uuid order by r.due_at limit 1
  );
begin
  if v_retry is null then
    delete from tasker.timers as m
     where m.task_uuid = p_event_uuid
       and m.step_no = 0
       and m.kind = 'deliver_event';
    return tasker.write_clock();
  end if;
  update tasker.timers as m
     set due_at = v_retry
   where m.task_uuid = p_event_uuid
     and m.step_no = 0
     and m.kind = 'deliver_event';
  return null;
end;
$$;

comment on function tasker.end_delivery is
$$Deletes the note of an event that was delivered to all steps, and returns the time. If some deliveries are to be tried again, postpones the note until the first of these tries, and returns null.$$;
