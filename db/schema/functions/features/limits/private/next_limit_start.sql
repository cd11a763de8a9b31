create or replace function tasker.next_limit_start(p_limit_no integer, p_limit_key text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_at timestamptz;
begin
  select least(k.paid_until, tasker.clock() + l.burst * i.period) - (l.burst - 1) * i.period
    into v_at
    from tasker.key_limit(p_limit_no, p_limit_key) as l
    join tasker.limit_keys as k
      on k.limit_no = p_limit_no
     and k.limit_key = p_limit_key
   cross join lateral (select make_interval(secs => ceil(l.per_seconds * 1000000.0 / l.rate) / 1000000.0) as period) as i
   where l.rate is not null
     and k.paid_until is not null;
  return case when v_at > tasker.clock() then v_at end;
end;
$$;

comment on function tasker.next_limit_start is
$$Returns the time when the rate of a limit allows a key's next start. Returns null if the next start is allowed now, or if the limit has no rate.$$;
