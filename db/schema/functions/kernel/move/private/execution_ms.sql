create or replace function tasker.execution_ms(p_given bigint, p_claimed_at timestamptz, p_ended_at timestamptz)
  returns bigint
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    nullif(p_given, 0), least(greatest(0, extract(epoch from p_ended_at - p_claimed_at) * 1000), 999999999)::bigint
  );
end;

comment on function tasker.execution_ms is
$$Returns how long a handler ran, in milliseconds: the time that its worker reports, otherwise the time since the claim, or 0.$$;
