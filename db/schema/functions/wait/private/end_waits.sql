create or replace function tasker.end_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  delete from tasker.waits as w
   using unnest(p_moves) as m
   where w.task_uuid = any (array[m.task_uuid])
     and w.step_no = m.step_no
     and m.from_state = 'suspended'
     and m.event is not null;
  delete from tasker.timers as d
   using unnest(p_moves) as m
   where d.task_uuid = any (array[m.task_uuid])
     and d.step_no = m.step_no
     and d.kind = 'end_wait'
     and m.from_state = 'suspended'
     and m.event is not null;
end;
$$;

comment on function tasker.end_waits(tasker.step_moves[]) is
$$A step that has left suspended waits for nothing: its rows in waits and its timer go. For the writer of moves.$$;

revoke all on function tasker.end_waits(tasker.step_moves[]) from public;
