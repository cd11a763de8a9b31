create or replace function tasker.end_race(p_task_uuid uuid, p_step_no integer, p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task    tasker.task_facts := (tasker.task_facts(array[p_task_uuid]))[1];
  v_step    tasker.workflow_steps;
  v_losers  integer[];
  v_running integer[];
  v_moves   tasker.step_moves[] := '{}';
begin
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') or v_task.undo ? 'phase' then
    return;
  end if;
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  -- If the step is pending, it is to run again. Another note follows when it begins again.
  if v_step.state <> 'pending' then
    v_losers := tasker.race_losers(p_task_uuid, p_step_no);
    -- Claims do not lock the task. So lock the steps, so that no claim changes their states before the moves are written.
    v_moves := array(
      select tasker.step_move(
        p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state, p_event => 'Cancel',
        p_to_state => 'cancelled', p_reason => format('step "%s" has begun with the first result', v_step.name)
      )
        from (
          select s.task_uuid, s.step_no, s.state
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
             and s.step_no = any (v_losers)
           order by s.step_no
             for no key update
        ) as s
       where s.state not in ('complete', 'cancelled', 'resolved_manually')
       order by s.step_no
    );
  end if;
  v_running := array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress');
  if v_running <> '{}' then
    perform tasker.notify_cancelled(v_task.namespace, p_task_uuid, v_running);
  end if;
  -- Call this even without a move: it decides the task's state again, now that the task no longer has the note.
  perform tasker.apply_moves(v_moves, array[v_task], p_processor);
end;
$$;

comment on function tasker.end_race is
$$Cancels the steps that a step with join: first did not wait for. The cancelled steps are above this step, are open or have failed, and no other step needs them. Notifies the workers of running steps. Does nothing if the step is to run again or its task has ended. Locks the steps. The caller holds the task's lock.$$;
