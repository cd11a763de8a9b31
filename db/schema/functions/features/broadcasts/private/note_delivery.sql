create or replace function tasker.note_delivery(p_event tasker.broadcasts, p_ended boolean, p_now timestamptz, p_head_start interval)
  returns void
  language plpgsql
as $$
begin
  if p_ended then
    p_event.delivered_at := tasker.end_delivery(p_event.event_uuid);
  elsif p_head_start > interval '0' then
    update tasker.timers as m
       set due_at = p_now + p_head_start
     where m.task_uuid = p_event.event_uuid
       and m.step_no = 0
       and m.kind = 'deliver_event';
  end if;
  update tasker.broadcasts as b
     set passed_task_uuid = p_event.passed_task_uuid,
         passed_step_no   = p_event.passed_step_no,
         delivered_at     = p_event.delivered_at
   where b.event_uuid = p_event.event_uuid;
end;
$$;

comment on function tasker.note_delivery is
$$Records the progress of an event's delivery: the last wait that it has passed, and either its end (tasker.end_delivery) or the time when the rest of the delivery is due. The caller holds the event's note.$$;
