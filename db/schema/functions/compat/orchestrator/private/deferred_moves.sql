create or replace function tasker.deferred_moves(p_taken tasker.step_queue[], p_locked uuid[], p_settings tasker.settings_now)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  return array(
    select tasker.step_move(
      p_task_uuid => r.task_uuid, p_step_no => r.step_no, p_from_state => r.state,
      p_event => case r.to_state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      p_to_state => r.to_state,
      p_next_retry_at => case when r.to_state = 'waiting_for_retry' then tasker.retry_at(
          v_now, p_settings, r.attempts, r.backoff_request_seconds, r.backoff_base_seconds, r.backoff_multiplier, r.max_backoff_seconds
        ) end
    )
      from (
        select
          s.*,
          tasker.result_state(
            s.state = 'enqueued_as_error_for_orchestration',
            (
              select coalesce(l.metadata ->> 'permanent' = 'true', false)
                from tasker.step_log as l
               where l.task_uuid = s.task_uuid
                 and l.step_no = s.step_no
                 and l.sort_key = s.transition_count
            ),
            s.retryable, s.attempts, s.max_attempts
          ) as to_state
        from unnest(p_taken) as q
        cross join lateral (
          select
            s.task_uuid, s.step_no, s.state, s.transition_count, s.retryable, s.attempts, s.max_attempts,
            s.backoff_request_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
            from tasker.workflow_steps as s
           where s.task_uuid = q.task_uuid
             and s.step_no = q.step_no
             and s.state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
             for no key update skip locked
        ) as s
        where q.task_uuid = any (p_locked)
      ) as r
     order by r.task_uuid, r.step_no
  );
end;
$$;

comment on function tasker.deferred_moves is
$$Returns the moves of the steps whose recorded results wait in these queue rows. A move leads to the state complete, error or waiting_for_retry. Returns moves only for tasks in p_locked, which the caller has locked. Locks the steps without waiting, and skips locked steps.$$;
