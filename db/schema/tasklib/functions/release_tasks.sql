create or replace function tasklib.release_tasks(
  p_worker_id       text,
  p_ids             uuid[],
  p_claim_nos       integer[],
  p_snooze_seconds  double precision[]  default null,
  p_reasons         text[]              default null
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
  v_positions integer[];
  v_outcomes  text[];
  v_names     text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_snooze_seconds));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_reasons));
  perform tasklib.check_snoozes(p_snooze_seconds);

  with done as (
    update tasklib.tasks as t
       set state        = 'pending',
           ready        = coalesce(u.seconds, 0) = 0,
           scheduled_at = coalesce(v_now + nullif(u.seconds, 0) * interval '1 second', t.scheduled_at),
           locked_until = null,
           worker_id    = null
      from (
             select g.*
               from unnest(p_ids, p_claim_nos, p_snooze_seconds, p_reasons) with ordinality as g (id, claim_no, seconds, reason, position)
              order by g.id
           ) as u
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
    returning u.position, t.id, t.claim_no, t.name, t.started_at, u.reason,
              case when coalesce(u.seconds, 0) = 0 then 'released' else 'snoozed' end as outcome
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome, error)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, d.outcome, left(nullif(d.reason, ''), v_length)
      from done as d
     where v_audit
  )
  select array_agg(d.position::integer), array_agg(d.outcome), array_agg(distinct d.name)
    into v_positions, v_outcomes, v_names
    from done as d;

  perform tasklib.check_may_run(v_names);
  perform tasklib.notify_ready(u.name)
     from unnest(v_names) as u (name);
  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, v_outcomes, null) as o;
end;
$$;

comment on function tasklib.release_tasks is
$$Releases claimed tasks without a result. The tasks become pending, and the run does not count as a retry. A worker that stops releases the tasks that it will not run: they are due again at once. If the handler of a task asks for a snooze, p_snooze_seconds has the time after which the task is due again (at most a year), and p_reasons has the reason, which is kept in the record of the run. Returns an outcome for each task, in the order of the arrays: "released", "snoozed" or "stale".

Safe to repeat. Locks the tasks. Raises TK403 for tasks that the caller may not run, TK422 if the arrays are invalid or a snooze is out of bounds.$$;

grant execute on function tasklib.release_tasks to tasklib_worker;
