create or replace function tasker.fire_waits(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_moves   tasker.step_moves[] := tasker.wait_end_moves(p_task_uuids, p_step_nos);
  v_resumed tasker.step_moves[];
begin
  v_resumed := tasker.resume_moves(p_task_uuids, p_step_nos);
  if cardinality(v_resumed) > 0 then
    v_moves := array(select m from unnest(v_moves || v_resumed) as m order by m.task_uuid, m.step_no);
  end if;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
  end if;
  -- Delete the timers of steps that no longer wait.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'end_wait'
     and cardinality(v_moves) < cardinality(p_task_uuids);
end;
$$;

comment on function tasker.fire_waits is
$$Ends the waits of these steps whose time has passed. Applies the moves from tasker.wait_end_moves and, for durable functions, tasker.resume_moves. The caller holds the locks of the steps' tasks.$$;
