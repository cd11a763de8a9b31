create or replace function tasklib.apply_options(
  p_task     tasklib.registered_tasks,
  p_options  jsonb
)
  returns tasklib.registered_tasks
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_options ? 'description' then
    p_task.description := p_options ->> 'description';
  end if;
  p_task.max_retries := tasklib.option_number(p_options, 'max_retries', 0, 10000, true, p_task.max_retries);
  p_task.timeout_seconds := tasklib.option_number(p_options, 'timeout_seconds', 1, 31536000, true, p_task.timeout_seconds);
  p_task.base_retry_delay_seconds := tasklib.option_number(
    p_options, 'base_retry_delay_seconds', 0, 86400, false, p_task.base_retry_delay_seconds::numeric);
  p_task.retry_backoff_multiplier := tasklib.option_number(
    p_options, 'retry_backoff_multiplier', 1, 100, false, p_task.retry_backoff_multiplier::numeric);
  p_task.completed_ttl_seconds := tasklib.option_number(
    p_options, 'completed_ttl_seconds', 0, 3153600000, true, p_task.completed_ttl_seconds);
  p_task.failed_ttl_seconds := tasklib.option_number(
    p_options, 'failed_ttl_seconds', 0, 3153600000, true, p_task.failed_ttl_seconds);
  p_task.concurrency_limit := tasklib.option_number(
    p_options, 'concurrency_limit', 1, 1000000, true, p_task.concurrency_limit);
  p_task.rate_limit := tasklib.option_number(p_options, 'rate_limit', 1, 1000000, true, p_task.rate_limit);
  p_task.rate_period_seconds := tasklib.option_number(
    p_options, 'rate_period_seconds', 0.001, 86400, false, p_task.rate_period_seconds::numeric);
  p_task.breaker_failures := tasklib.option_number(
    p_options, 'breaker_failures', 1, 1000000, true, p_task.breaker_failures);
  p_task.breaker_seconds := tasklib.option_number(
    p_options, 'breaker_seconds', 0.001, 86400, false, p_task.breaker_seconds::numeric);
  p_task.key_concurrency_limit := tasklib.option_number(
    p_options, 'key_concurrency_limit', 1, 1000000, true, p_task.key_concurrency_limit);
  p_task.key_rate_limit := tasklib.option_number(p_options, 'key_rate_limit', 1, 1000000, true, p_task.key_rate_limit);
  p_task.key_rate_period_seconds := tasklib.option_number(
    p_options, 'key_rate_period_seconds', 0.001, 86400, false, p_task.key_rate_period_seconds::numeric);

  if (p_task.rate_limit is null) <> (p_task.rate_period_seconds is null)
     or (p_task.key_rate_limit is null) <> (p_task.key_rate_period_seconds is null)
     or (p_task.breaker_failures is null) <> (p_task.breaker_seconds is null) then
    raise exception using
      errcode = 'TK422',
      message = format('a limit of task "%s" is incomplete', p_task.name),
      hint    = 'Set rate_limit together with rate_period_seconds, key_rate_limit with key_rate_period_seconds, and breaker_failures with breaker_seconds.';
  end if;
  return p_task;
end;
$$;

comment on function tasklib.apply_options is
$$Returns the row p_task with the options p_options set. Does not write the row. Raises TK422 for an invalid option.$$;
