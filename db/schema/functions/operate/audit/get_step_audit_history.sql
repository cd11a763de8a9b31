create or replace function tasker.get_step_audit_history(
  p_step_uuid        uuid,
  p_limit            integer  default null,
  p_before_sort_key  integer  default null
)
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
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_limit(coalesce(p_limit, 1), 100000);
  perform tasker.check_step_exists(p_step_uuid);

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and a.step_no = tasker.step_no_of(p_step_uuid)
         and (p_before_sort_key is null or a.sort_key < p_before_sort_key)
         and (p_before_sort_key is null or a.row_key <= p_before_sort_key)
       order by a.row_key desc, a.sort_key desc
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_step_audit_history is
$$Returns every recorded result of a step, newest first, with its worker, claim, success, execution time, error and
value. A successful result appears as soon as it is recorded, even while it waits for an orchestrator. A null p_limit
means all results. For the next page, pass the last sort_key of this page as p_before_sort_key. Raises TK404 if there is
no such step, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_audit_history to tasker_orchestrator, tasker_operator, tasker_reader;
