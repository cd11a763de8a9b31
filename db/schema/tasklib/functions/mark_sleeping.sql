create or replace function tasklib.mark_sleeping(
  p_worker_id  text,
  p_names      text[],
  p_seconds    integer  default 30
)
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
declare
  v_now timestamptz := tasklib.clock();
begin
  p_seconds := coalesce(p_seconds, 30);
  if cardinality(p_names) between 1 and 10000 is not true
     or length(p_worker_id) between 1 and 200 is not true
     or p_seconds between 1 and 300 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a worker cannot be marked as sleeping with these arguments',
      detail  = format('worker %s, names %s, %s seconds', left(p_worker_id, 200), left(p_names::text, 200), p_seconds),
      hint    = 'Pass at least one name, a worker of 1 to 200 characters, and 1 to 300 seconds.';
  end if;
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception using
      errcode = 'TK409',
      message = format('this function does not run in a transaction of isolation level %s', current_setting('transaction_isolation')),
      hint    = 'Call it in READ COMMITTED, in its own transaction.';
  end if;
  perform tasklib.check_may_run(p_names);

  -- A mark that ended more than a minute ago belongs to a worker that crashed.
  delete from tasklib.sleepers as s
   where s.ctid = any (array(
     select d.ctid
       from tasklib.sleepers as d
      where d.until < v_now - interval '1 minute'
      limit 1000
        for update skip locked
   ));

  insert into tasklib.sleepers as s (name, worker_id, until)
  select distinct u.name, p_worker_id, v_now + make_interval(secs => p_seconds)
    from unnest(p_names) as u (name)
  on conflict (name, worker_id) do update set until = excluded.until;

  return tasklib.setting('notify') <> 'off';
end;
$$;

comment on function tasklib.mark_sleeping is
$$Marks a worker as sleeping, for p_seconds, until a notification about tasks of these names wakes it. The worker must already listen on the channel tasklib_ready. Returns false if notifications are off, so that the worker has to poll.

After this call, commit, call open_writers, claim once more, and only then sleep (docs/wakeups.md explains why). Call this function again well before the mark ends. Idempotent. Locks the worker's own rows. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK409 above READ COMMITTED, TK422 for a value out of bounds.$$;

grant execute on function tasklib.mark_sleeping to tasklib_worker;
