create or replace function tasker.retry_at(
  p_now              timestamptz,
  p_settings         tasker.settings_now,
  p_attempts         integer,
  p_backoff_seconds  double precision,
  p_base_seconds     numeric,
  p_multiplier       numeric,
  p_max_seconds      integer
)
  returns timestamptz
  language plpgsql
  volatile
as $$
begin
  return p_now + make_interval(secs => coalesce(
    p_backoff_seconds::numeric,
    tasker.backoff_seconds(
      p_attempts,
      coalesce(p_base_seconds, p_settings.backoff_base),
      coalesce(p_multiplier, p_settings.backoff_multiplier),
      coalesce(p_max_seconds, p_settings.max_backoff_seconds)
    ) * (1 - p_settings.backoff_jitter * random()::numeric)
  )::double precision);
end;
$$;

comment on function tasker.retry_at is
$$Returns the time at which a step that has just failed is retried: after the number of seconds that its worker has requested, otherwise as the policy of its template or the settings say, minus the jitter.$$;
