create or replace function tasker.hold_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_held uuid[] := array(
    select distinct h.task_uuid
      from unnest(p_moves) as m
      join tasker.timers as h
        on h.task_uuid = m.task_uuid
       and h.step_no = 0
       and h.kind = 'hold_task'
  );
begin
  -- If a paused task ends, its steps keep their mark. So a marked step may belong to a task that is no longer paused.
  if v_held = '{}' then
    return;
  end if;
  update tasker.step_queue as q
     set lane = 'paused'
    from unnest(p_moves) as m
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.effects & 16384 <> 0
     offset 0
   ) as s
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and q.task_uuid = any (v_held)
     and q.lane not in ('running', 'results');
  update tasker.timers as n
     set due_at = '2200-01-01 00:00:00Z'
    from unnest(p_moves) as m
   where n.task_uuid = any (array[m.task_uuid])
     and n.step_no = m.step_no
     and n.kind = 'start_child'
     and n.task_uuid = any (v_held);
end;
$$;

comment on function tasker.hold_moves is
$$Hides the just enqueued steps of paused tasks from claims, and postpones the start of tasks that steps of paused tasks start. The writer calls this function after it has written the queue rows, the waits and the limits.$$;
