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
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_limit(p_limit, 100000);

  return query
  select d.*
    from tasker.describe_audits(array(
      select f.audit
        from (
          select a.audit
            from tasker.tasks as t
           cross join lateral (
             select r as audit
               from tasker.workflow_step_result_audit as r
              where r.task_uuid = t.task_uuid
                and r.correlation_id = p_correlation_id
             offset 0
           ) as a
           where t.correlation_id = p_correlation_id
             and (v_bound is null or tasker.may_see_task(t.task_uuid))
           union all
          -- Results of other tasks, if the metadata of the result name this correlation id.
          select a.audit
            from tasker.step_log as l
           cross join lateral (
             select
               from tasker.tasks as t
              where t.task_uuid = l.task_uuid
                and t.correlation_id <> p_correlation_id
             offset 0
           ) as t
           cross join lateral (
             select r as audit
               from tasker.workflow_step_result_audit as r
              where r.task_uuid = l.task_uuid
                and r.step_no = l.step_no
                and r.row_key = l.sort_key
             offset 0
           ) as a
           where lower(l.metadata ->> 'correlation_id') = p_correlation_id::text
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
        ) as f
       order by (f.audit).recorded_at, (f.audit).task_uuid, (f.audit).step_no, (f.audit).sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_correlation_id is
$$Returns the recorded results of all tasks of one correlation id, in order of time. The rows are the history of a
request that went through several tasks. If the metadata of a result's transition name a correlation id, the row shows
that id, otherwise the id of the task. Returns no row if there is no such result. Raises TK422 for a limit out of range.
A bound caller sees only its own namespaces.$$;

grant execute on function tasker.get_audit_by_correlation_id to tasker_orchestrator, tasker_operator, tasker_reader;
