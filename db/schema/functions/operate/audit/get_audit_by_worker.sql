create or replace function tasker.get_audit_by_worker(p_worker_uuid uuid, p_limit integer default 100)
  returns setof tasker.step_audits
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
declare
  v_bound text[] := tasker.bound_namespaces();
  v_audits tasker.workflow_step_result_audit[] := '{}';
  v_first  timestamptz;
  v_since  timestamptz := tasker.clock() - interval '1 hour';
  v_until  timestamptz := 'infinity';
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 100000);
  -- A task whose UUID a caller made may be a little older than its range.
  select coalesce(min(r.starts_at), tasker.clock()) - interval '1 day' into v_first from tasker.partition_ranges as r;

  -- Search back in time, twice as far with each query, until there are enough rows. The index on recorded_at leads to
  -- the pages of a period. An index on worker_uuid would have to be written with every result.
  loop
    v_audits := v_audits || array(
      select a.audit
        from (
          select l.task_uuid, l.step_no, l.row_key, l.recorded_at
            from tasker.step_result_log as l
           where l.recorded_at >= v_since
             and l.recorded_at < v_until
             and l.worker_uuid = p_worker_uuid
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
           order by l.recorded_at desc, l.task_uuid, l.step_no, l.row_key
           limit p_limit - cardinality(v_audits)
        ) as r
       cross join lateral (
         select a as audit
           from tasker.workflow_step_result_audit as a
          where a.task_uuid = r.task_uuid
            and a.step_no = r.step_no
            and a.row_key = r.row_key
         offset 0
       ) as a
       order by r.recorded_at desc, r.task_uuid, r.step_no, r.row_key
    );
    exit when p_worker_uuid is null or v_until <= v_first or cardinality(v_audits) >= p_limit;
    v_until := v_since;
    v_since := greatest(v_since - 2 * (tasker.clock() - v_since), v_first);
  end loop;

  return query select d.* from tasker.describe_audits(v_audits) as d;
end;
$$;

comment on function tasker.get_audit_by_worker is
$$Returns the results that a worker recorded, newest first. Returns no row for a worker that recorded no result. A bound
caller sees only its own namespaces.

Reads back in time through the index on recorded_at until it has p_limit rows, so recent results cost little. Raises
TK422 for a limit out of range.$$;

grant execute on function tasker.get_audit_by_worker to tasker_orchestrator, tasker_operator, tasker_reader;
