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

  -- If one time is missing, use the other, because a failure without a time must not be ready at once.
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
$$Returns when a step may be retried: the time that its worker asked for after the last attempt, otherwise multiplier ^ attempts seconds after its failure, capped. The result has no jitter. Null if there is no time to count from.

Null limits mean the settings (max_backoff_seconds, backoff_multiplier). Never overflows for any number of attempts. Raises TK422 for arguments out of range.$$;

grant execute on function tasker.calculate_step_next_retry_time
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
