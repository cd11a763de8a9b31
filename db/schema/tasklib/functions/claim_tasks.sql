create or replace function tasklib.claim_tasks(
  p_names         text[],
  p_worker_id     text,
  p_limit         integer  default 1,
  p_lock_seconds  integer  default null
)
  returns setof tasklib.claimed_tasks
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
  v_now    timestamptz := tasklib.clock();
  v_names  text[];
  v_quotas integer[];
  v_counts integer[] := '{}';
  v_ids    uuid[] := '{}';
  v_found  uuid[];
  v_keyed  tasklib.name_quotas[];
  v_quota  tasklib.name_quotas;
  v_rated  boolean;
  v_turns  uuid[] := '{}';
  v_lock   integer;
begin
  p_limit := coalesce(p_limit, 1);
  if cardinality(p_names) > 0 is not true or p_worker_id is null or not length(p_worker_id) between 1 and 200
     or p_limit between 1 and 10000 is not true or not p_lock_seconds between 1 and 604800 then
    raise exception using
      errcode = 'TK422',
      message = 'tasks cannot be claimed with these arguments',
      detail  = format('names %s, worker %s, limit %s, lock of %s seconds', left(p_names::text, 200), left(p_worker_id, 100), p_limit, p_lock_seconds),
      hint    = 'Pass at least one name, a worker of 1 to 200 characters, a limit of 1 to 10,000, and a lock of 1 second to a week.';
  end if;
  perform tasklib.check_may_run(p_names);
  perform tasklib.promote_due(p_names, v_now, greatest(p_limit, 100));
  perform tasklib.expire_locks(p_names, v_now, greatest(p_limit, 100));

  select coalesce(array_agg(q.name) filter (where not q.keyed), '{}'), array_agg(q.quota) filter (where not q.keyed),
         coalesce(array_agg(q) filter (where q.keyed), '{}'), bool_or(q.rated) filter (where q.keyed)
    into v_names, v_quotas, v_keyed, v_rated
    from tasklib.name_quotas(p_names, p_limit, v_now) as q
   where q.quota > 0;
  -- The call may have waited for the locks of the names' rows. Its runs begin after that wait.
  v_now := tasklib.write_clock();
  foreach v_quota in array v_keyed loop
    v_found := tasklib.take_turns(v_quota.name, v_quota.quota, v_now);
    v_turns := v_turns || v_found;
  end loop;
  if v_names = '{}' and v_turns = '{}' then
    return;
  end if;

  -- If there are several names, count how many tasks of each name are among the first p_limit tasks. The loop below skips
  -- tasks that other claims take meanwhile, and takes other tasks of the same name instead. Tasks of limit keys (v_turns) are
  -- already locked, so they are not exchanged.
  if cardinality(v_names) + cardinality(v_keyed) > 1 then
    select coalesce(array_agg(f.name) filter (where f.turn is null), '{}'), array_agg(f.count) filter (where f.turn is null),
           coalesce(array_agg(f.turn) filter (where f.turn is not null), '{}')
      into v_names, v_quotas, v_turns
      from (
        select c.name, c.turn, count(*)::integer as count
          from (
            select w.name, w.turn
              from (
                select q.name, q.priority, q.id, null::uuid as turn
                  from unnest(v_names, v_quotas) as u (name, quota)
                 cross join lateral (
                   select t.name, t.priority, t.id, row_number() over () as position
                     from tasklib.tasks as t
                    where t.name = u.name
                      and t.ready
                      and t.limit_key is null
                    order by t.priority desc, t.id
                    limit p_limit
                 ) as q
                 where q.position <= u.quota
                union all
                select t.name, t.priority, t.id, t.id
                  from tasklib.tasks as t
                 where t.id = any (v_turns)
              ) as w
             order by w.priority desc, w.id
             limit p_limit
          ) as c
         group by c.name, c.turn
      ) as f;
  end if;

  for i in 1 .. cardinality(v_names) loop
    v_found := array(
      select t.id
        from tasklib.tasks as t
       where t.name = v_names[i]
         and t.ready
         and t.limit_key is null
       order by t.priority desc, t.id
       limit v_quotas[i]
         for update skip locked
    );
    v_ids := v_ids || v_found;
    v_counts := v_counts || cardinality(v_found);
  end loop;
  if v_turns <> '{}' then
    v_ids := v_ids || v_turns;
    select v_names || array_agg(c.name), v_counts || array_agg(c.count)
      into v_names, v_counts
      from (select t.name, count(*)::integer as count from tasklib.tasks as t where t.id = any (v_turns) group by t.name) as c;
  end if;
  if v_ids = '{}' then
    return;
  end if;
  perform tasklib.charge_limits(v_names, v_counts, v_now);
  if v_rated and v_turns <> '{}' then
    perform tasklib.charge_keys(v_turns, v_now);
  end if;

  v_lock := coalesce(p_lock_seconds, tasklib.setting('lock_timeout_seconds')::integer);
  return query
  with claimed as (
    update tasklib.tasks as t
       set state         = 'running',
           ready         = false,
           claim_no      = t.claim_no + 1,
           worker_id     = p_worker_id,
           started_at    = v_now,
           next_retry_at = null,
           locked_until  = v_now + make_interval(secs => v_lock),
           lock_seconds  = v_lock
      from unnest(v_ids) as u (id)
     where t.id = u.id
    returning t.*
  )
  select c.id, c.name, c.claim_no, c.retry_count, c.max_retries, c.timeout_seconds, c.priority,
         c.created_at, c.scheduled_at, c.started_at, c.locked_until, c.kwargs, c.tags
    from claimed as c
   order by c.priority desc, c.id;
end;
$$;

comment on function tasklib.claim_tasks is
$$Claims due tasks of these names for a worker, by priority, then by age. The tasks run until the worker reports them or their lock ends. Returns fewer than p_limit tasks if no more tasks are due or the limits of the names forbid more. If p_lock_seconds is null, the setting lock_timeout_seconds applies.

Also marks tasks as ready if their time has come, and takes tasks of these names from lost workers. After a restart or crash recovery of the server, a worker has the whole time of its lock to extend the lock. The limit keys of a name take turns. The tasks that have their turn compete with tasks of other names by priority, then by age. Concurrent claims get different tasks. Waits for the rows of limited names in tasklib.task_limits and locks them, then locks tasks without waiting. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK422 for an invalid value.$$;

grant execute on function tasklib.claim_tasks to tasklib_worker;
