create or replace function tasklib.mark_awake(p_worker_id text, p_names text[])
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  delete from tasklib.sleepers as s
   where s.name = any (p_names)
     and s.worker_id = p_worker_id;
  return found;
end;
$$;

comment on function tasklib.mark_awake is
$$Deletes the marks of mark_sleeping for these names, so that submissions no longer send notifications for this worker. Returns true if there was a mark. A worker calls this function when it expects to be busy for a while. The mark of a worker that crashed expires.

Idempotent. Locks the worker's own rows.$$;

grant execute on function tasklib.mark_awake to tasklib_worker;
