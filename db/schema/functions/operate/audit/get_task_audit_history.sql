create or replace function tasker.get_task_audit_history(
  p_task_uuid       uuid,
  p_limit           integer  default 1000,
  p_after_step_no   integer  default null,
  p_after_sort_key  integer  default null
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
declare
  v_at timestamptz := '-infinity';
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);

  if p_after_step_no is not null or p_after_sort_key is not null then
    v_at := (
      select a.recorded_at
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = p_task_uuid
         and a.step_no = p_after_step_no
         and a.sort_key = p_after_sort_key
         and a.row_key between p_after_sort_key and p_after_sort_key::bigint + 1
    );
  end if;
  if v_at is null then
    raise exception using
      errcode = 'TK422',
      message = 'the audit has no such result to begin after',
      detail  = format('step %s, sort key %s', coalesce(p_after_step_no::text, 'none'), coalesce(p_after_sort_key::text, 'none')),
      hint    = 'Pass step_no and sort_key of the last result of the page before, or neither.';
  end if;

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = p_task_uuid
         and a.recorded_at >= v_at
         and (a.recorded_at, a.step_no, a.sort_key) > (v_at, coalesce(p_after_step_no, 0), coalesce(p_after_sort_key, 0))
       order by a.recorded_at, a.step_no, a.sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_task_audit_history is
$$Returns every recorded result of a task's steps, in order of time. For the next page, pass the step number and the
sort_key of the last result of this page as p_after_step_no and p_after_sort_key. Raises TK404 if there is no such task,
TK422 for a limit out of range, or if the audit has no result with this step number and sort_key, and TK403 if the
caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_audit_history to tasker_orchestrator, tasker_operator, tasker_reader;
