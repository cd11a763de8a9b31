create or replace function tasker.set_step_backoff_atomic(p_step_uuid uuid, p_backoff_seconds double precision)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_step tasker.workflow_steps;
begin
  perform tasker.check_bound(p_step_uuid);
  if p_backoff_seconds is null or p_backoff_seconds not between 0 and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = format('a backoff of %s seconds is out of range', coalesce(p_backoff_seconds::text, 'null')),
      hint    = 'It must be from 0 to 31536000, a year.';
  end if;

  -- Lock the task before the step, as all functions do.
  perform
     from tasker.tasks as t
    where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
      for no key update;
  update tasker.workflow_steps as s
     set backoff_request_seconds = p_backoff_seconds,
         last_attempted_at       = tasker.clock(),
         next_retry_at           = case
           when s.state = 'waiting_for_retry' then tasker.clock() + make_interval(secs => p_backoff_seconds)
         end
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     and s.state in ('waiting_for_retry', 'enqueued_as_error_for_orchestration')
  returning s.* into v_step;

  if v_step.task_uuid is null then
    perform tasker.check_step_exists(p_step_uuid);
    return false;
  end if;
  if v_step.state = 'waiting_for_retry' then
    update tasker.timers as m
       set due_at = v_step.next_retry_at
     where m.task_uuid = v_step.task_uuid
       and m.step_no = v_step.step_no
       and m.kind = 'retry_step';
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.set_step_backoff_atomic is
$$Makes a failed step wait p_backoff_seconds from now for its next attempt. Returns false and changes nothing if the step does not wait for a retry and has no recorded failure that an orchestrator still has to process.

Sets the columns of the step and the due time of its timer together. The wait has no jitter, and the setting max_backoff_seconds does not limit it. Locks the task, then the step. Raises TK404 if the step does not exist, TK422 if the wait is out of range, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.set_step_backoff_atomic
  to tasker_worker, tasker_orchestrator, tasker_operator;
