create or replace function tasklib.register_task(
  p_name     text,
  p_options  jsonb  default '{}',
  p_actor    text   default null,
  p_reason   text   default null
)
  returns setof tasklib.registered_tasks
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
  v_before tasklib.registered_tasks;
  v_after  tasklib.registered_tasks;
begin
  p_options := coalesce(p_options, '{}');
  perform tasker.administer(p_actor, p_reason);
  perform tasklib.check_options(p_name, p_options);
  insert into tasklib.registered_tasks (name, created_at, updated_at)
  values (p_name, tasklib.clock(), tasklib.clock())
  on conflict do nothing;
  -- Many workers register the same options when they start. So first read the row without a lock: a call that changes nothing
  -- does not wait.
  select r.* into strict v_before from tasklib.registered_tasks as r where r.name = p_name;
  v_after := tasklib.apply_options(v_before, p_options);
  if v_after is distinct from v_before then
    -- A caller that may not run a name may not change its limits either.
    if not pg_has_role(tasklib.caller_name(), 'tasklib_operator', 'member') then
      perform tasklib.check_may_run(array[p_name]);
    end if;
    select r.* into strict v_before from tasklib.registered_tasks as r where r.name = p_name for update;
    v_after := tasklib.apply_options(v_before, p_options);
    update tasklib.registered_tasks as r
       set updated_at               = tasklib.clock(),
           description              = v_after.description,
           max_retries              = v_after.max_retries,
           timeout_seconds          = v_after.timeout_seconds,
           base_retry_delay_seconds = v_after.base_retry_delay_seconds,
           retry_backoff_multiplier = v_after.retry_backoff_multiplier,
           completed_ttl_seconds    = v_after.completed_ttl_seconds,
           failed_ttl_seconds       = v_after.failed_ttl_seconds,
           concurrency_limit        = v_after.concurrency_limit,
           rate_limit               = v_after.rate_limit,
           rate_period_seconds      = v_after.rate_period_seconds,
           breaker_failures         = v_after.breaker_failures,
           breaker_seconds          = v_after.breaker_seconds,
           key_concurrency_limit    = v_after.key_concurrency_limit,
           key_rate_limit           = v_after.key_rate_limit,
           key_rate_period_seconds  = v_after.key_rate_period_seconds
     where r.name = p_name;
    perform tasklib.log_action('register', null, p_name, p_options);
  end if;

  insert into tasklib.task_limits (name, tokens, refilled_at)
  select r.name, coalesce(r.rate_limit, 0), tasklib.clock()
    from tasklib.registered_tasks as r
   where r.name = p_name
     and r.limited
  on conflict do nothing;
  return query select r.* from tasklib.registered_tasks as r where r.name = p_name;
end;
$$;

comment on function tasklib.register_task is
$$Registers a name if it is new, sets the given options, and returns the name with all its options. An option that p_options does not contain stays as it is. The value null resets an option: then the setting applies, or there is no limit.

The options are description, max_retries, timeout_seconds, base_retry_delay_seconds, retry_backoff_multiplier, completed_ttl_seconds, failed_ttl_seconds (0 means for ever), concurrency_limit (tasks that run at once), key_concurrency_limit (tasks of one limit key that run at once), rate_limit and rate_period_seconds (the number of claims in a period; all of them may come at once, and the rate allows new claims evenly over time), key_rate_limit and key_rate_period_seconds (the same for each limit key), and breaker_failures and breaker_seconds (after breaker_failures consecutive failures no task is claimed for breaker_seconds, then one task at a time until a run succeeds). Idempotent. Locks the name's row if an option changes. Raises TK403 if the caller may not run the name and is not an operator, TK422 for an invalid name or option.$$;

grant execute on function tasklib.register_task to tasklib_worker, tasklib_operator;
