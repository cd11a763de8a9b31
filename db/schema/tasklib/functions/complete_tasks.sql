create or replace function tasklib.complete_tasks(
  p_worker_id  text,
  p_ids        uuid[],
  p_claim_nos  integer[],
  p_results    jsonb[]  default null
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
  v_now       timestamptz := tasklib.write_clock();
  v_caller    text := tasklib.caller_name();
  v_audit     boolean := tasklib.setting('audit_runs')::boolean;
  v_ttl       bigint := tasklib.setting('completed_ttl_seconds')::bigint;
  v_positions integer[];
  v_names     text[];
  v_limited   text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_results));
  perform tasklib.check_results(p_ids, p_results);

  -- Test worker_id, which only a running task has, instead of "state = 'running'". Then the primary key is the only index that
  -- the planner can use.
  with done as (
    update tasklib.tasks as t
       set state        = 'completed',
           completed_at = v_now,
           expires_at   = v_now + make_interval(secs => nullif(coalesce(r.completed_ttl_seconds, v_ttl), 0)),
           locked_until = null,
           worker_id    = null,
           error        = null,
           result       = jsonb_build_object('value', u.result)
      from (
             select g.*
               from unnest(p_ids, p_claim_nos, p_results) with ordinality as g (id, claim_no, result, position)
              order by g.id
           ) as u,
           tasklib.registered_tasks as r
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
       and r.name = t.name
    returning u.position, t.id, t.claim_no, t.name, t.started_at, r.limited
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, 'completed'
      from done as d
     where v_audit
  )
  select array_agg(d.position::integer), array_agg(distinct d.name), array_agg(distinct d.name) filter (where d.limited)
    into v_positions, v_names, v_limited
    from done as d;

  perform tasklib.check_may_run(v_names);
  if v_limited is not null then
    update tasklib.task_limits as l
       set failures     = 0,
           opened_until = null
      from unnest(v_limited) as u (name)
     where l.name = u.name
       and (l.failures > 0 or l.opened_until <= v_now)
       and (l.opened_until > v_now) is not true;
  end if;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, null, 'completed') as o;
end;
$$;

comment on function tasklib.complete_tasks is
$$Records results and completes the tasks. Returns an outcome for each task, in the order of the arrays: completed, or stale if the worker no longer has the task under this claim number. A task is stale if the worker lost it or has already reported it, or if it was cancelled. A stale task does not change.

Safe to repeat. Locks the tasks in the order of their ids, then the rows of names with a circuit breaker in tasklib.task_limits. Raises TK403 for tasks that the caller may not run, TK413 if a result is too large, TK422 if the arrays are invalid. After an error no result is recorded.$$;

grant execute on function tasklib.complete_tasks to tasklib_worker;
