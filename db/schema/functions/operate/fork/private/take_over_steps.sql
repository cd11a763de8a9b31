create or replace function tasker.take_over_steps(
  p_old              tasker.tasks,
  p_new              uuid,
  p_named_task_uuid  uuid,
  p_from             integer,
  p_owns             boolean,
  p_actor            text
)
  returns void
  language plpgsql
as $$
declare
  v_same    integer[] := tasker.same_step_nos(p_old.named_task_uuid, p_named_task_uuid);
  v_below   integer[] := tasker.fork_distances(p_old, p_named_task_uuid, v_same, p_from);
  v_old_nos integer[];
  v_new_nos integer[];
begin
  -- Take over only settled steps. Here, a step that was cancelled with its task does not count as settled.
  select array_agg(o.step_no order by n.step_no), array_agg(n.step_no order by n.step_no)
    into v_old_nos, v_new_nos
    from tasker.workflow_steps as n
   cross join lateral (
     select o.step_no
       from tasker.workflow_steps as o
      where o.task_uuid = p_old.task_uuid
        and o.step_no = v_same[n.step_no]
        and o.for_each is null
        and tasker.is_taken_over(o)
     offset 0
   ) as o
   where n.task_uuid = p_new
     and n.for_each is null
     and v_below[n.step_no] < 0;
  perform tasker.take_over_results(p_old.task_uuid, v_old_nos, p_new, v_new_nos, p_owns, p_actor);
  perform tasker.count_parents(p_new, 0);
  perform tasker.take_over_maps(p_old, p_new, v_same, v_below, p_owns, p_actor);

  update tasker.tasks as t
     set (total_steps, open_steps) = (
       select count(*), count(*) filter (where s.state not in ('complete', 'cancelled', 'resolved_manually'))
         from tasker.workflow_steps as s
        where s.task_uuid = p_new
     )
   where t.task_uuid = p_new;
end;
$$;

comment on function tasker.take_over_steps is
$$Settles pending steps of a new task with the results of another task's settled steps, unless these steps run again
(tasker.fork_distances). Updates the counters of the task and of the steps' children. With p_owns, the new task also
gets the effects that the other task would undo. The caller holds the lock of the old task. No other transaction sees
the new task.$$;
