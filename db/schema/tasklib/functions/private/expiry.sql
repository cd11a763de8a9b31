create or replace function tasklib.expiry(
  p_name   text,
  p_state  text,
  p_now    timestamptz
)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_seconds bigint;
begin
  select case when p_state = 'failed' then r.failed_ttl_seconds else r.completed_ttl_seconds end
    into v_seconds
    from tasklib.registered_tasks as r
   where r.name = p_name;
  v_seconds := coalesce(
    v_seconds,
    tasklib.setting(case when p_state = 'failed' then 'failed_ttl_seconds' else 'completed_ttl_seconds' end)::bigint
  );
  -- The value 0 means that the task never expires.
  return case when v_seconds > 0 then p_now + make_interval(secs => v_seconds) end;
end;
$$;

comment on function tasklib.expiry is
$$Returns the time when a task of this name expires if it ends now in this state. Returns null if it never expires.$$;
