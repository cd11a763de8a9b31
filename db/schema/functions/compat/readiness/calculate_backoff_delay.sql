create or replace function tasker.calculate_backoff_delay(
  p_attempts     integer,
  p_base_delay   numeric  default null,
  p_multiplier   numeric  default null,
  p_max_seconds  integer  default null
)
  returns numeric
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_base       numeric := coalesce(p_base_delay, tasker.setting_numeric('backoff_base'));
  v_multiplier numeric := coalesce(p_multiplier, tasker.setting_numeric('backoff_multiplier'));
  v_max        integer := coalesce(p_max_seconds, tasker.setting_integer('max_backoff_seconds'));
begin
  if p_attempts is null or p_attempts < 0 or v_base <= 0 or v_multiplier < 1 or v_max < 0
     or v_base in ('NaN', 'Infinity') or v_multiplier in ('NaN', 'Infinity') then
    raise exception using
      errcode = 'TK422',
      message = 'a backoff cannot be computed from these arguments',
      detail  = format(
        'attempts %s, base delay %s, multiplier %s, at most %s seconds',
        coalesce(p_attempts::text, 'null'), left(v_base::text, 40), left(v_multiplier::text, 40), v_max
      ),
      hint    = 'Attempts and the maximum are 0 or more, the base delay is above 0, the multiplier 1 or more.';
  end if;

  return tasker.backoff_seconds(p_attempts, v_base, v_multiplier, v_max);
end;
$$;

comment on function tasker.calculate_backoff_delay is
$$Returns the seconds to wait after p_attempts attempts: base delay × multiplier ^ attempts, at most p_max_seconds. Returns 0 if p_attempts is 0.

If an argument is null, the setting backoff_base, backoff_multiplier or max_backoff_seconds applies. The result never overflows, and has no jitter. Raises TK422 for arguments out of range.$$;

grant execute on function tasker.calculate_backoff_delay
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
