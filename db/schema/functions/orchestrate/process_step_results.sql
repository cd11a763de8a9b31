create or replace function tasker.process_step_results(p_limit integer default 100)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_taken  tasker.step_queue[];
  v_locked uuid[];
  v_moves  tasker.workflow_step_transition_log[];
begin
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  v_taken := tasker.take_queue_rows(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'results'
         and g.visible_at <= v_now
    ),
    p_limit, v_now + interval '1 second', false
  );
  perform tasker.discard_result_messages(p_limit);
  if cardinality(v_taken) = 0 then
    return 0;
  end if;

  -- A task that somebody else holds is looked at again in a second.
  v_locked := tasker.lock_tasks(array(select q.task_uuid from unnest(v_taken) as q), false);
  with judged as (
    select s.*
      from unnest(v_taken) as q
     cross join lateral (
       select
         s.task_uuid,
         s.step_no,
         s.state as recorded_state,
         case
           when s.state = 'enqueued_for_orchestration' then 'complete'
           when s.attempts >= s.max_attempts or not s.retryable or l.metadata @> '{"permanent": true}' then 'error'
           else 'waiting_for_retry'
         end::tasker.step_state as to_state,
         tasker.next_attempt_at(
           s.attempts, s.backoff_request_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
         ) as retry_at
         from tasker.workflow_steps as s
         join tasker.workflow_step_transition_log as l
           on l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.sort_key = s.transition_count
        where s.task_uuid = q.task_uuid
          and s.step_no = q.step_no
          and s.state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
          for no key update of s skip locked
     ) as s
     where q.task_uuid = any (v_locked)
  ),
  written as (
    update tasker.workflow_steps as s
       set state            = j.to_state,
           transition_count = s.transition_count + 1,
           next_retry_at    = case when j.to_state = 'waiting_for_retry' then j.retry_at end,
           processed_at     = case when j.to_state = 'complete' then v_now end
      from judged as j
     where s.task_uuid = any (array[j.task_uuid])
       and s.step_no = j.step_no
    returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.next_retry_at, s.state, j.recorded_state
  ),
  timed as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    select w.task_uuid, w.step_no, 'retry_step', w.next_retry_at
      from written as w
     where w.state = 'waiting_for_retry'
  )
  select array_agg((
      w.task_uuid, w.step_no, w.transition_count,
      case w.state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      w.recorded_state, w.state, w.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from written as w;

  perform tasker.process_moves(v_moves);
  return coalesce(cardinality(v_moves), 0);
end;
$$;

comment on function tasker.process_step_results(integer) is
$$Processes results that workers of namespaces with result_mode deferred have recorded, and moves their tasks on as complete_steps does. Returns how many.

Any number of orchestrators may call it at once: each takes other results. A task that somebody else holds is left for a second. The truth is in the queue; as many messages of orchestration_step_results, which announced the results, are taken away. Locks queue rows and tasks, only if nobody holds them, then steps. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.process_step_results(integer) from public;
grant execute on function tasker.process_step_results(integer) to tasker_orchestrator, tasker_operator;
