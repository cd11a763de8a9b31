create or replace function tasklib.release_tasks(
  p_worker_id  text,
  p_ids        uuid[],
  p_claim_nos  integer[]
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
  v_positions integer[];
  v_names     text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, null);

  with done as (
    update tasklib.tasks as t
       set state        = 'pending',
           ready        = true,
           locked_until = null,
           worker_id    = null
      from (
             select g.*
               from unnest(p_ids, p_claim_nos) with ordinality as g (id, claim_no, position)
              order by g.id
           ) as u
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
    returning u.position, t.id, t.claim_no, t.name, t.started_at
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, 'released'
      from done as d
     where v_audit
  )
  select array_agg(d.position::integer), array_agg(distinct d.name)
    into v_positions, v_names
    from done as d;

  perform tasklib.check_may_run(v_names);
  perform tasklib.notify_ready(u.name)
     from unnest(v_names) as u (name);
  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, null, 'released') as o;
end;
$$;

comment on function tasklib.release_tasks is
$$Hands back tasks that a stopping worker will not run: they are pending and due again, and the run does not count as a retry. Answers released or stale for each task, in order.

Safe to repeat. Locks the tasks. Raises TK403 for tasks that the caller may not run, TK422 if the arrays are invalid.$$;

grant execute on function tasklib.release_tasks to tasklib_worker;
