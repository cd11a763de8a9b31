create or replace function tasker.take_over_results(
  p_old      uuid,
  p_old_nos  integer[],
  p_new      uuid,
  p_new_nos  integer[],
  p_owns     boolean,
  p_actor    text
)
  returns void
  language plpgsql
as $$
begin
  -- Move a thousand steps at a time, because the moves have the results in memory.
  for v_page in 0 .. (coalesce(cardinality(p_new_nos), 0) - 1) / 1000 loop
    perform tasker.write_moves(array(
      select tasker.step_move(
        p_task_uuid => p_new, p_step_no => u.new_no, p_from_state => 'pending',
        p_first_event => case when o.failed then 'Fail' end,
        p_via_state => case when o.failed then 'error'::tasker.step_state end,
        p_error => case when o.failed then o.last_error end,
        p_event => case
            when o.state = 'resolved_manually' then 'ResolveManually'
            when o.failed then 'Tolerate'
            when o.state = 'cancelled' then 'Skip'
            when o.for_each is not null then 'Complete'
            else 'CompleteManually'
          end,
        p_to_state => o.state, p_worker_uuid => a.worker_uuid, p_execution_time_ms => a.execution_time_ms,
        p_actor => p_actor, p_reason => concat_ws(': ', format('fork of step %s', o.workflow_step_uuid), o.guard),
        p_result => o.results,
        p_metadata => jsonb_strip_nulls(jsonb_build_object(
            'forked_from', o.workflow_step_uuid, 'recorded_at', a.recorded_at, 'child_task_uuid', o.child_task_uuid,
            'correlation_id', a.correlation_id, 'guard', o.guard
          ))
      )
        from unnest(p_old_nos[v_page * 1000 + 1 : v_page * 1000 + 1000], p_new_nos[v_page * 1000 + 1 : v_page * 1000 + 1000])
          as u (old_no, new_no)
       cross join lateral (
         select
           o.*, case when o.state = 'cancelled' then tasker.skip_guard(o) end as guard,
           o.effects & 1024 <> 0 and o.map_no is null and tasker.settled_by(o.task_uuid, o.step_no) = 'Tolerate' as failed
           from tasker.workflow_steps as o
          where o.task_uuid = p_old
            and o.step_no = u.old_no
         offset 0
       ) as o
        left join lateral (
          select a.worker_uuid, a.execution_time_ms, a.recorded_at, a.correlation_id
            from tasker.workflow_step_result_audit as a
           where a.task_uuid = p_old
             and a.step_no = o.step_no
             and a.success
           order by a.sort_key desc
           limit 1
        ) as a
          on o.state = 'complete'
       where o.step_no is not null
       order by u.new_no
    ), null);
  end loop;

  update tasker.workflow_steps as n
     set effect_uuid     = coalesce(o.effect_uuid, o.workflow_step_uuid),
         owner_uuid      = case when p_owns then o.owner_uuid else coalesce(o.owner_uuid, o.workflow_step_uuid) end,
         child_task_uuid = o.child_task_uuid
    from (
      select p_new as task_uuid, u.old_no, u.new_no
        from unnest(p_old_nos, p_new_nos) as u (old_no, new_no)
      offset 0
    ) as u
   cross join lateral (
     select o.effect_uuid, o.owner_uuid, o.workflow_step_uuid, o.child_task_uuid
       from tasker.workflow_steps as o
      where o.task_uuid = p_old
        and o.step_no = u.old_no
     offset 0
   ) as o
   where n.task_uuid = any (array[u.task_uuid])
     and n.step_no = u.new_no;
end;
$$;

comment on function tasker.take_over_results is
$$Settles steps of a new task with the state and the result of the same steps of another task. One row in the log of
each step says who recorded the result and when, or why the step was skipped. With p_owns the new task undoes the
effects that the other task would undo, otherwise it undoes none of these effects. p_old_nos and p_new_nos are the
numbers of the same steps in the two tasks, in the order of the new task's steps.$$;
