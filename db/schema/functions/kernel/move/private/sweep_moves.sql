create or replace function tasker.sweep_moves(p_task_uuid uuid, p_sweep text, p_reason text, p_actor text)
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  -- Claims and renewals do not lock the task. So lock the steps, whose states must not change before the moves are written.
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state,
      p_first_event => case when l.position = 2 then f.event end,
      p_via_state => case when l.position = 2 then f.to_state end, p_event => l.event, p_to_state => l.to_state,
      -- The log row of the task has the reason of a cancellation or failure. The reset of a blocked task has no row in
      -- the log of the task.
      p_actor => p_actor,
      p_reason => case when p_sweep in ('reset', 'undo') then p_reason end,
      p_error => case when l.to_state = 'error' then left(p_reason, 200) end,
      p_metadata => case when l.position = 2 and p_reason is not null then jsonb_build_object('error', left(p_reason, 200)) end
    )
      from (
        select s.task_uuid, s.step_no, s.state
          from tasker.workflow_steps as s
         where s.task_uuid = p_task_uuid
           and s.state not in ('complete', 'cancelled', 'resolved_manually')
         order by s.step_no
           for no key update
      ) as s
      join tasker.step_sweeps as l
        on l.sweep = p_sweep
       and l.start_state = s.state
       and l.last
      join tasker.step_sweeps as f
        on f.sweep = p_sweep
       and f.start_state = s.state
       and f.position = 1
     order by s.step_no
  );
end;
$$;

comment on function tasker.sweep_moves is
$$Returns the moves of a task's steps when the task is cancelled, fails or is reset, from tasker.step_sweeps. Locks the steps. The caller holds the task's lock.$$;
