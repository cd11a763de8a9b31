create or replace function tasker.rerun_steps(
  p_task      tasker.task_facts,
  p_from      integer,
  p_by_hand   boolean,
  p_again     integer[],
  p_replaced  integer[],
  p_reason    text,
  p_actor     text
)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_moves   tasker.step_moves[] := tasker.rerun_moves(p_task, p_from, p_again, p_replaced, p_reason, p_actor);
  v_running integer[]           := array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress');
  v_nos     integer[]           := case when p_by_hand then array_remove(p_again, p_from) else p_again end;
begin
  if v_running <> '{}' then
    perform tasker.notify_cancelled(p_task.namespace, p_task.task_uuid, v_running);
  end if;
  v_moves := tasker.write_moves(v_moves, p_task.namespace);
  -- A run begins without any data of the previous run. If a fork took over a result, the task that produced the result
  -- still has to undo its effect.
  update tasker.workflow_steps as s
     set results     = null,
         checkpoint  = null,
         attempts    = 0,
         lost_count  = 0,
         effect_uuid = null,
         owner_uuid  = null
   where s.task_uuid = p_task.task_uuid
     and s.step_no = any (v_nos || p_replaced);
  if p_by_hand then
    update tasker.workflow_steps as s
       set results = null
     where s.task_uuid = p_task.task_uuid
       and s.step_no = p_from;
  end if;
  perform tasker.steps_rerun(p_task.task_uuid, v_nos, p_replaced);
  perform tasker.recount_parents(p_task.task_uuid, p_again || p_replaced);
  return tasker.counted(p_task, v_moves);
end;
$$;

comment on function tasker.rerun_steps is
$$Lets steps of a task run again, and deletes the data of their former runs: checkpoints, attempts, results (which the log keeps), and the data of features (tasker.steps_rerun). With p_by_hand the step p_from only loses its result, because another result is recorded next. Notifies the workers of running steps, whose claims end. Returns the task's facts with the new counters, which the caller writes.

The number of statements does not depend on the number of steps. Locks the steps. The caller holds the task's lock.$$;
