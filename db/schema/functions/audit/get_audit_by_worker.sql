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
begin
  perform tasker.check_limit(p_limit, 100000);

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.worker_uuid = p_worker_uuid
       order by a.recorded_at desc, a.task_uuid, a.step_no, a.sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_worker(uuid, integer) is
$$The results that a worker recorded, the newest first. No rows for a worker that recorded none. Raises TK422 for a limit out of range.$$;

revoke all on function tasker.get_audit_by_worker(uuid, integer) from public;
grant execute on function tasker.get_audit_by_worker(uuid, integer) to tasker_orchestrator, tasker_operator, tasker_reader;
