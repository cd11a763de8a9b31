create or replace function tasker.next_attempt_at(
  p_attempts         integer,
  p_backoff_seconds  integer,
  p_base_seconds     numeric,
  p_multiplier       numeric,
  p_max_seconds      integer
)
  returns timestamptz
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.clock() + make_interval(secs => coalesce(
    p_backoff_seconds,
    tasker.calculate_backoff_delay(p_attempts, p_base_seconds, p_multiplier, p_max_seconds)
      * (1 - tasker.setting_numeric('backoff_jitter') * random()::numeric)
  )::double precision);
end;
$$;

comment on function tasker.next_attempt_at(integer, integer, numeric, numeric, integer) is
$$When a step that has just failed is tried again: after the seconds that its worker asked for, else by the policy of its template or the settings, less the jitter.$$;

revoke all on function tasker.next_attempt_at(integer, integer, numeric, numeric, integer) from public;
