create or replace function tasklib.extend_locks(
  p_worker_id     text,
  p_ids           uuid[],
  p_claim_nos     integer[],
  p_lock_seconds  integer  default null
)
  returns setof tasklib.task_outcomes
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
  v_seconds   integer;
  v_until     timestamptz;
  v_positions integer[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, null);
  if not p_lock_seconds between 1 and 604800 then
    raise exception using
      errcode = 'TK422',
      message = format('a lock cannot last %s seconds', p_lock_seconds),
      hint    = 'A lock lasts 1 second to a week.';
  end if;
  v_seconds := coalesce(p_lock_seconds, tasklib.setting('lock_timeout_seconds')::integer);
  v_until := tasklib.clock() + make_interval(secs => v_seconds);

  with extended as (
    update tasklib.tasks as t
       set locked_until = greatest(t.locked_until, v_until),
           lock_seconds = v_seconds
      from (
             select g.*
               from unnest(p_ids, p_claim_nos) with ordinality as g (id, claim_no, position)
              order by g.id
           ) as u
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
    returning u.position
  )
  select array_agg(e.position::integer)
    into v_positions
    from extended as e;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, null, 'extended') as o;
end;
$$;

comment on function tasklib.extend_locks is
$$Extends the locks of running tasks until p_lock_seconds from now. A lock that already lasts longer does not become shorter. If p_lock_seconds is null, the setting lock_timeout_seconds applies. Returns an outcome for each task, in the order of the arrays: "extended" or "stale". A stale task no longer belongs to the worker, which should stop running it.

Idempotent. Locks the tasks. Raises TK422 if the arrays are invalid or the time is out of bounds.$$;

grant execute on function tasklib.extend_locks to tasklib_worker;
