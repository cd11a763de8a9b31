create or replace function tasklib.list_claims(
  p_names      text[],
  p_worker_id  text
)
  returns setof tasklib.claimed_tasks
  language plpgsql
  stable
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
  if cardinality(p_names) > 0 is not true or p_worker_id is null then
    raise exception using
      errcode = 'TK422',
      message = 'claims cannot be listed with these arguments',
      detail  = format('names %s, worker %s', left(p_names::text, 200), left(p_worker_id, 100)),
      hint    = 'Pass at least one name, and a worker.';
  end if;
  perform tasklib.check_may_run(p_names);
  return query
  select t.id, t.name, t.claim_no, t.retry_count, t.max_retries, t.timeout_seconds, t.priority,
         t.created_at, t.scheduled_at, t.started_at, t.locked_until, t.kwargs, t.tags
    from unnest(p_names) as u (name)
    join tasklib.tasks as t
      on t.name = u.name
     and t.locked_until is not null
     and t.worker_id = p_worker_id
   order by t.id;
end;
$$;

comment on function tasklib.list_claims is
$$Returns the tasks of these names that a worker has claimed and not yet reported. If the connection of a worker broke during a claim, the worker calls this function to learn which tasks the claim got.

The cost grows with the number of running tasks of these names. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK422 without names or a worker.$$;

grant execute on function tasklib.list_claims to tasklib_worker;
