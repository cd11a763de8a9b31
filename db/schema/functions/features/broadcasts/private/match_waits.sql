create or replace function tasker.match_waits(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.timers as m
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where m.task_uuid = any (array[u.task_uuid])
     and m.step_no = u.step_no
     and m.kind = 'match_wait';
  perform tasker.receive_events(
    array(select m from tasker.match_events(p_task_uuids, p_step_nos, null) as m), p_processor
  );
end;
$$;

comment on function tasker.match_waits is
$$Matches steps that have begun to wait with the kept events. The caller holds the tasks' locks and the notes, which another transaction has written and committed. An event that this call does not see commits later, and its delivery sees the wait.$$;
