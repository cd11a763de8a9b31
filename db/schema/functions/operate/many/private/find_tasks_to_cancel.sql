create or replace function tasker.find_tasks_to_cancel(
  p_filters         jsonb,
  p_tags            text[],
  p_from            uuid,
  p_to              uuid,
  p_selection_uuid  uuid,
  p_after           uuid,
  p_limit           integer
)
  returns setof tasker.task_cancellations
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]            := tasker.bound_namespaces();
  v_state     tasker.task_state := p_filters ->> 'state';
  v_namespace text              := p_filters ->> 'namespace';
  v_name      text              := p_filters ->> 'name';
  v_version   text              := p_filters ->> 'version';
begin
  -- The query is planned for the given filters, because the open tasks and the entries of a selection each have an
  -- index.
  return query
  select t.task_uuid, n.name, k.name, k.version, t.state, t.requested_at, text 'matched'
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where not t.complete
     and (p_selection_uuid is null or t.task_uuid = any (array(
       select e.task_uuid
         from tasker.selection_entries as e
        where e.selection_uuid = p_selection_uuid
          and e.task_uuid > p_after
     )))
     and (v_state is null or t.state = v_state)
     and (v_namespace is null or n.name = v_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (v_name is null or k.name = v_name)
     and (v_version is null or k.version = v_version)
     and (p_tags is null or t.tags @> p_tags)
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_cancel is
$$Returns up to p_limit open tasks after p_after, in the order of their UUIDs. The tasks are in namespaces of the
caller, and match all given filters or are in the selection. Reads only open tasks.$$;
