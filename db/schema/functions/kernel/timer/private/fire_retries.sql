create or replace function tasker.fire_retries(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_tasks tasker.task_facts[] := tasker.task_facts(p_task_uuids);
  v_moves tasker.step_moves[] := tasker.retry_moves(p_task_uuids, p_step_nos, v_tasks);
begin
  if cardinality(v_moves) < cardinality(p_task_uuids) then
    v_tasks := tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m));
  end if;
  perform tasker.apply_moves(v_moves, v_tasks, p_processor);
  -- Also delete the timers of steps that no longer wait.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'retry_step'
     and cardinality(v_moves) < cardinality(p_task_uuids);
end;
$$;

comment on function tasker.fire_retries is
$$Ends the wait of these steps for their next attempt and applies tasker.retry_moves. The caller holds their tasks' locks.$$;
