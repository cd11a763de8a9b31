create or replace function tasker.backoff_seconds(
  p_attempts      integer,
  p_base_seconds  numeric,
  p_multiplier    numeric,
  p_max_seconds   integer
)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare logarithms first, because the power itself may overflow every number type.
  select case
    when p_attempts = 0 or p_max_seconds = 0 then 0
    when p_base_seconds >= p_max_seconds
         or ln(greatest(p_base_seconds, 1e-300)::double precision)
              + p_attempts * ln(least(p_multiplier, 1e300)::double precision)
            > ln(p_max_seconds::double precision) + 0.001
      then p_max_seconds
    else least(p_base_seconds * p_multiplier ^ p_attempts, p_max_seconds)
  end;
end;

comment on function tasker.backoff_seconds is
$$Returns the seconds to wait after this number of attempts, without jitter: base × multiplier ^ attempts, but at most p_max_seconds. Returns 0 if there was no attempt.$$;
