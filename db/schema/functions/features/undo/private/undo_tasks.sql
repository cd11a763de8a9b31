create or replace function tasker.undo_tasks(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_budget integer := 1000;
  v_task   tasker.tasks;
begin
  for v_task in
    select t.*
      from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid) as u
     cross join lateral (
       select t.*
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
     order by t.task_uuid
  loop
    -- The notes of the remaining tasks stay due.
    exit when v_budget <= 0;
    delete from tasker.timers as m
     where m.task_uuid = v_task.task_uuid
       and m.step_no = 0
       and m.kind = 'undo_task';
    continue when v_task.complete;
    if v_task.undo ->> 'phase' = 'drain' then
      v_task := tasker.drain_task(v_task, p_processor);
    end if;
    if v_task.undo ->> 'phase' = 'undo' then
      v_budget := v_budget - 1 - tasker.undo_next(v_task, v_budget, p_processor);
    elsif v_task.state = 'blocked_by_failures' and not v_task.undo ? 'phase' and exists (
      select
        from tasker.named_tasks as k
       where k.named_task_uuid = v_task.named_task_uuid
         and k.on_failure = 'fail'
    ) then
      perform tasker.move_task(v_task, 'GiveUp', 'error', null, '{"on_failure": "fail"}', null);
    end if;
  end loop;
end;
$$;

comment on function tasker.undo_tasks is
$$Does the next action of the undo of each of these tasks: ends the phase in which running steps end, starts the compensations of a level, or ends the task. Gives up a blocked task whose template has on_failure: fail, so that its undo begins or it fails. Inserts about a thousand compensations in a call. The caller holds the tasks' locks.$$;
