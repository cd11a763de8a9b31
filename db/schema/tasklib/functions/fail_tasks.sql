create or replace function tasklib.fail_tasks(
  p_worker_id            text,
  p_ids                  uuid[],
  p_claim_nos            integer[],
  p_errors               text[],
  p_permanent            boolean[]           default null,
  p_retry_after_seconds  double precision[]  default null
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
  v_length    integer := tasklib.setting('error_bytes')::integer;
  v_ttl       bigint := tasklib.setting('failed_ttl_seconds')::bigint;
  v_positions integer[];
  v_outcomes  text[];
  v_names     text[];
  v_limited   text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_errors));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_permanent));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_retry_after_seconds));

  with given as materialized (
    select u.position::integer, t.id, t.claim_no, r.limited,
           t.retry_count < t.max_retries and u.permanent is not true as retries,
           -- Cap a delay that is too long for a timestamp instead of raising an error, because the failure must
           -- be recorded.
           make_interval(secs => least(greatest(coalesce(
             nullif(u.retry_after, 'NaN'),
             tasklib.retry_delay(t.retry_count, r.base_retry_delay_seconds, r.retry_backoff_multiplier)
           ), 0), 31536000)) as delay,
           left(coalesce(u.error, 'no error was given'), v_length) as error,
           coalesce(r.failed_ttl_seconds, v_ttl) as ttl
      from unnest(p_ids, p_claim_nos, p_errors, p_permanent, p_retry_after_seconds)
           with ordinality as u (id, claim_no, error, permanent, retry_after, position)
      join tasklib.tasks as t
        on t.id = u.id
       and t.claim_no = u.claim_no
      join tasklib.registered_tasks as r
        on r.name = t.name
     order by t.id
  ),
  done as (
    update tasklib.tasks as t
       set state         = case when g.retries then 'pending' else 'failed' end::tasklib.task_state,
           ready         = g.retries and g.delay = '0',
           retry_count   = t.retry_count + case when g.retries then 1 else 0 end,
           next_retry_at = case when g.retries then v_now + g.delay end,
           scheduled_at  = case when g.retries then v_now + g.delay else t.scheduled_at end,
           completed_at  = case when g.retries then null else v_now end,
           expires_at    = case when not g.retries then v_now + make_interval(secs => nullif(g.ttl, 0)) end,
           locked_until  = null,
           worker_id     = null,
           error         = g.error
      from given as g
     where t.id = g.id
       and t.claim_no = g.claim_no
       and t.worker_id = p_worker_id
    returning g.position, t.id, t.claim_no, t.name, t.started_at, t.error, g.limited,
              case when g.retries then 'retrying' else 'failed' end as outcome
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome, error)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, d.outcome, d.error
      from done as d
     where v_audit
  )
  select array_agg(d.position), array_agg(d.outcome), array_agg(distinct d.name),
         array_agg(d.name) filter (where d.limited)
    into v_positions, v_outcomes, v_names, v_limited
    from done as d;

  perform tasklib.check_may_run(v_names);
  if v_limited is not null then
    perform tasklib.count_failures(v_limited, v_now);
  end if;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, v_outcomes, null) as o;
end;
$$;

comment on function tasklib.fail_tasks is
$$Records failed runs of tasks, each with the text of its error. Returns an outcome for each task, in the order of the arrays: retrying, failed or stale. A retrying task is pending again, and is due after p_retry_after_seconds, or after base × multiplier ^ retries seconds if that is null. A task has failed if its retries are used up or p_permanent is true. A stale task does not change (see tasklib.complete_tasks).

Safe to repeat. Locks the tasks, then the rows of names with a circuit breaker in tasklib.task_limits. Raises TK403 for tasks that the caller may not run, TK422 if the arrays are invalid. After an error no failure is recorded.$$;

grant execute on function tasklib.fail_tasks
  to tasklib_worker;
