create or replace function tasker.retry_moves(p_task_uuids uuid[], p_step_nos integer[], p_tasks tasker.task_facts[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  -- Another attempt is a start, so a task that halts on its failure makes no further attempt.
  v_halted uuid[] := array(select f.task_uuid from unnest(p_tasks) as f where tasker.task_halts(f.on_failure, f.failed_steps));
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'waiting_for_retry',
      p_first_event => case when not s.halted then 'Retry' end,
      p_via_state => case when not s.halted then 'pending'::tasker.step_state end,
      p_event => case when s.halted then 'Retry' else tasker.ready_event(s.ready_state) end,
      p_to_state => case when s.halted then 'pending'::tasker.step_state else s.ready_state end
    )
      from (
        select
          s.task_uuid, s.step_no, s.task_uuid = any (v_halted) as halted,
          case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end as ready_state
          from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
         cross join lateral (
           select s.task_uuid, s.step_no, s.await
             from tasker.workflow_steps as s
            where s.task_uuid = u.task_uuid
              and s.step_no = u.step_no
              and s.state = 'waiting_for_retry'
           offset 0
         ) as s
      ) as s
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.retry_moves is
$$Returns the moves of steps whose wait for the next attempt is over. They move to "enqueued" or, if the task halts on a failure, to "pending", where they wait until an operator has dealt with the failure.$$;
