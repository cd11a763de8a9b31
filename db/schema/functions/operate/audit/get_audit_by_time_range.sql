create or replace function tasker.get_audit_by_time_range(
  p_since      timestamptz,
  p_until      timestamptz  default null,
  p_success    boolean      default null,
  p_namespace  text         default null,
  p_limit      integer      default null,
  p_offset     integer      default null
)
  returns setof tasker.step_audits
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_since is null then
    raise exception using
      errcode = 'TK422',
      message = 'the beginning of the period is null',
      hint    = 'An audit report covers a range of time; pass p_since.';
  end if;
  if p_offset < 0 then
    raise exception using
      errcode = 'TK422',
      message = format('a page cannot begin at row %s', p_offset),
      hint    = 'The offset must be 0 or more.';
  end if;
  perform tasker.check_page_size(p_limit);

  -- The query is planned for the given period and filter. The index on recorded_at leads to the pages of the period,
  -- and an index of failures leads to its failures.
  return query
  select d.*
    from tasker.describe_audits(array(
      select a.audit
        from (
          select l.task_uuid, l.step_no, l.row_key, l.recorded_at
            from tasker.step_result_log as l
           where l.recorded_at >= p_since
             and (p_until is null or l.recorded_at < p_until)
             and (p_success is null or l.success = p_success)
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
             and (p_namespace is null or exists (
               select
                 from tasker.tasks as t
                 join tasker.named_tasks as k
                   on k.named_task_uuid = t.named_task_uuid
                 join tasker.task_namespaces as n
                   on n.task_namespace_uuid = k.task_namespace_uuid
                where t.task_uuid = l.task_uuid
                  and n.name = p_namespace
             ))
           order by l.recorded_at desc, l.task_uuid, l.step_no, l.row_key
           limit coalesce(p_limit, 1000)
          offset coalesce(p_offset, 0)
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
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_time_range is
$$Returns the results that were recorded from p_since until before p_until, with their worker or operator, newest first.
With p_success, returns only successes, or only failures. A null argument does not filter. A bound caller sees only its
own namespaces.

Reads only the pages of the period, or only its failures, each through an index. A page has p_limit rows (default 1,000,
at most 10,000). For a later page, pass the number of rows before it as p_offset. Raises TK422 without p_since, or for a
limit or offset out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_audit_by_time_range
  to tasker_orchestrator, tasker_operator, tasker_reader;
