create or replace function tasker.get_audit_by_correlation_id(p_correlation_id uuid, p_limit integer default 1000)
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
begin
  perform tasker.check_limit(p_limit, 100000);

  return query
  select d.*
    from tasker.describe_audits(array(
      -- Through the tasks, whose correlation ids are indexed.
      select a.audit
        from tasker.tasks as t
       cross join lateral (
         select r as audit
           from tasker.workflow_step_result_audit as r
          where r.task_uuid = t.task_uuid
         offset 0
       ) as a
       where t.correlation_id = p_correlation_id
         and (v_bound is null or tasker.may_see_task(t.task_uuid))
       order by (a.audit).recorded_at, (a.audit).task_uuid, (a.audit).step_no, (a.audit).sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_correlation_id is
$$Returns the recorded results of all tasks of one correlation id, in order of time: the history of a request that went through several tasks. A result whose transition names another correlation id in its metadata is found by the id of its task. No rows if there is none. Raises TK422 for a limit out of range. A bound caller sees its namespaces only.$$;

grant execute on function tasker.get_audit_by_correlation_id to tasker_orchestrator, tasker_operator, tasker_reader;
