create or replace function tasklib.retry_delay(
  p_retry_count  integer,
  p_base         double precision  default null,
  p_multiplier   double precision  default null
)
  returns double precision
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_base       double precision := coalesce(p_base, tasklib.setting('base_retry_delay_seconds')::double precision);
  v_multiplier double precision := coalesce(p_multiplier, tasklib.setting('retry_backoff_multiplier')::double precision);
  v_max        double precision := tasklib.setting('max_retry_delay_seconds')::double precision;
  v_jitter     double precision := tasklib.setting('retry_jitter')::double precision;
  v_delay      double precision;
begin
  if p_retry_count >= 0 is not true or not v_base >= 0 or not v_multiplier >= 1 then
    raise exception using
      errcode = 'TK422',
      message = 'a delay cannot be computed from these arguments',
      detail  = format('retries %s, base %s, multiplier %s', p_retry_count, p_base, p_multiplier),
      hint    = 'Retries and base must not be negative, the multiplier must be at least 1.';
  end if;
  -- Compare logarithms, because the power may overflow.
  v_delay := case
    when v_base = 0 or v_max = 0 then 0
    when ln(v_base) + p_retry_count * ln(v_multiplier) >= ln(v_max) then v_max
    else v_base * v_multiplier ^ p_retry_count
  end;
  return v_delay * (1 - v_jitter * random());
end;
$$;

comment on function tasklib.retry_delay is
$$Returns the seconds that a task waits for its next run after p_retry_count retries: base × multiplier ^ retries, at most the setting max_retry_delay_seconds. If the setting retry_jitter is above 0, a random share is subtracted. If p_base or p_multiplier is null, the setting applies. The default settings give 5, 10, 20 seconds. Raises TK422 for a negative argument.$$;

grant execute on function tasklib.retry_delay
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
