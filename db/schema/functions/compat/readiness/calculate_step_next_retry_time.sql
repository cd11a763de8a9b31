create or replace function tasker.calculate_step_next_retry_time(
  p_backoff_request_seconds  double precision,
  p_last_attempted_at        timestamptz,
  p_failure_time             timestamptz,
  p_attempts                 integer,
  p_max_backoff_seconds      integer  default null,
  p_backoff_multiplier       numeric  default null
)
  returns timestamptz
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_instant('time of the last attempt', nullif(p_last_attempted_at, 'infinity'));
  perform tasker.check_instant('time of the failure', nullif(p_failure_time, 'infinity'));
  if p_backoff_request_seconds not between 0 and 2147483647 then
    raise exception using
      errcode = 'TK422',
      message = format('a backoff of %s seconds is out of range', p_backoff_request_seconds),
      hint    = 'It must be from 0 to 2147483647; null means the policy.';
  end if;

  -- If one of the two times is null, use the other time. A null result could mean that the step may be retried at once.
  if p_backoff_request_seconds is not null then
    return coalesce(p_last_attempted_at, p_failure_time) + make_interval(secs => p_backoff_request_seconds);
  end if;
  return coalesce(p_failure_time, p_last_attempted_at) + make_interval(
    secs => tasker.calculate_backoff_delay(
      coalesce(p_attempts, 0), null, p_backoff_multiplier, p_max_backoff_seconds
    )::double precision
  );
end;
$$;

comment on function tasker.calculate_step_next_retry_time is
$$Returns the time when a step may be retried. If its worker asked for a backoff, this is p_backoff_request_seconds after the last attempt. Otherwise it is calculate_backoff_delay after the failure. If one of the two times is null, counts from the other time. Returns null if both are null.

If p_max_backoff_seconds or p_backoff_multiplier is null, the setting max_backoff_seconds or backoff_multiplier applies. The result has no jitter, and never overflows for any number of attempts. Raises TK422 for arguments out of range.$$;

grant execute on function tasker.calculate_step_next_retry_time
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
