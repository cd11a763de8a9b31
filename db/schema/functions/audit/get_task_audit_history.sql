create or replace function tasker.get_task_audit_history(p_task_uuid uuid, p_limit integer default 1000)
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
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = p_task_uuid
       order by a.recorded_at, a.step_no, a.sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_task_audit_history(uuid, integer) is
$$Returns every recorded result of a task's steps, in order of time. Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.get_task_audit_history(uuid, integer) from public;
grant execute on function tasker.get_task_audit_history(uuid, integer) to tasker_orchestrator, tasker_operator, tasker_reader;
