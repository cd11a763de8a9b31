create or replace function tasker.find_steps_to_retry(
  p_filters         jsonb,
  p_selection_uuid  uuid,
  p_after           uuid,
  p_limit           integer
)
  returns setof tasker.step_retries
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]            := tasker.bound_namespaces();
  v_state     tasker.step_state := coalesce(p_filters ->> 'state', 'error');
  v_namespace text              := p_filters ->> 'namespace';
  v_name      text              := p_filters ->> 'name';
  v_version   text              := p_filters ->> 'version';
  v_step      text              := p_filters ->> 'step';
  v_error     text              := lower(p_filters ->> 'error');
begin
  -- The query is planned for the given filters, because the open tasks and the entries of a selection each have an
  -- index.
  return query
  select
    tasker.step_uuid(s.task_uuid, s.step_no), s.task_uuid, n.name, k.name, k.version, s.name, s.state, s.attempts::integer,
    left(s.last_error, 2000), text 'matched'
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select s.task_uuid, s.step_no, s.name, s.state, s.attempts, s.last_error
      from tasker.workflow_steps as s
     where s.task_uuid = t.task_uuid
       and s.state = v_state
       and (s.undo_no is not null or not tasker.is_undone(t.undo))
    offset 0
  ) as s
  where not t.complete
    and (v_state <> 'error' or t.failed_steps > 0)
    and (p_selection_uuid is null or t.task_uuid = any (array(
      select e.task_uuid from tasker.selection_entries as e where e.selection_uuid = p_selection_uuid
    )) and tasker.step_uuid(s.task_uuid, s.step_no) in (
      select e.object_uuid from tasker.selection_entries as e where e.selection_uuid = p_selection_uuid
    ))
    and (v_namespace is null or n.name = v_namespace)
    and (v_bound is null or n.name = any (v_bound))
    and (v_name is null or k.name = v_name)
    and (v_version is null or k.version = v_version)
    and (v_step is null or s.name = v_step)
    and (v_error is null or position(v_error in lower(s.last_error)) > 0)
    and (p_after is null or t.task_uuid >= tasker.task_uuid_of(p_after))
    and (p_after is null or (t.task_uuid, s.step_no) > (tasker.task_uuid_of(p_after), tasker.step_no_of(p_after)))
  order by t.task_uuid, s.step_no
  limit p_limit;
end;
$$;

comment on function tasker.find_steps_to_retry is
$$Returns up to p_limit steps of open tasks after p_after, in the order of their tasks and numbers. The steps are in
namespaces of the caller and in the given state. The steps match all given filters, or are in the selection. If a task
is being undone, returns only its compensations.$$;
