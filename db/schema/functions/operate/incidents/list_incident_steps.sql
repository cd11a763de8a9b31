create or replace function tasker.list_incident_steps(p_incident text, p_after uuid default null, p_limit integer default null)
  returns setof tasker.incident_steps
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
  v_cause tasker.error_causes;
begin
  perform tasker.check_page_size(p_limit);
  v_cause := tasker.incident_cause(p_incident);
  return query
  select
    e.task_uuid, tasker.step_uuid(e.task_uuid, e.step_no), v_cause.namespace, d.name, d.version, s.name, s.state::text,
    e.failed_at, left(s.last_error, 2000)
  from tasker.error_steps as e
  cross join lateral (
    select s.name, s.state, s.last_error
      from tasker.workflow_steps as s
     where s.task_uuid = e.task_uuid
       and s.step_no = e.step_no
       and s.state = 'error'
    offset 0
  ) as s
  cross join lateral (
    select
      from tasker.tasks as t
     where t.task_uuid = e.task_uuid
       and not t.complete
    offset 0
  ) as t
  join tasker.named_tasks as d
    on d.named_task_uuid = e.named_task_uuid
  where e.fingerprint = v_cause.fingerprint
    and e.stands = 'failed'
    and (p_after is null or (e.task_uuid, e.step_no) > (tasker.task_uuid_of(p_after), tasker.step_no_of(p_after)))
  order by e.task_uuid, e.step_no
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_incident_steps is
$$Returns the steps of open tasks that are in state "error" for a cause now, by task and step number. The returned steps
are exactly the steps that the incident concerns. For the next page, pass the last step of this page as p_after.

Reads the state of each step again, so a step that was retried a moment ago is left out. Raises TK404 if no cause has
that name or the caller is bound to other namespaces, and TK422 for a limit out of range.$$;

grant execute on function tasker.list_incident_steps to tasker_orchestrator, tasker_operator, tasker_reader;
