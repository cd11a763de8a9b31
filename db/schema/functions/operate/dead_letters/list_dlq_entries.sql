create or replace function tasker.list_dlq_entries(
  p_resolution_status  text     default null,
  p_reason             text     default null,
  p_namespace          text     default null,
  p_task_uuid          uuid     default null,
  p_before             uuid     default null,
  p_limit              integer  default null
)
  returns setof tasker.dlq_entries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_page_size(p_limit);
  -- The filters are optional, so each call is planned for its own filters.
  return query
  select
    d.dlq_entry_uuid,
    d.task_uuid,
    d.task_snapshot #>> '{task,namespace}',
    d.task_snapshot #>> '{task,name}',
    d.task_snapshot #>> '{task,version}',
    d.original_state,
    t.state,
    d.dlq_reason,
    d.dlq_timestamp,
    round(extract(epoch from coalesce(d.resolution_timestamp, tasker.clock()) - d.dlq_timestamp) / 60, 2),
    d.resolution_status,
    d.resolution_timestamp,
    d.resolution_notes,
    d.resolved_by,
    d.metadata,
    null::jsonb
  from tasker.tasks_dlq as d
  left join tasker.tasks as t
    on t.task_uuid = d.task_uuid
  where (p_resolution_status is null or d.resolution_status = p_resolution_status)
    and (p_reason is null or d.dlq_reason = p_reason)
    and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
    and (p_namespace is null or d.task_snapshot #>> '{task,namespace}' = p_namespace)
    and (p_task_uuid is null or d.task_uuid = p_task_uuid)
    and (p_before is null or d.dlq_entry_uuid < p_before)
  order by d.dlq_entry_uuid desc
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_dlq_entries is
$$Returns the investigations that match all filters, newest first, without their snapshots. A null argument does not
filter. A bound caller sees only its own namespaces.

For the next page, pass the UUID of the last entry as p_before. A page has p_limit entries (default 100, at most
10,000). Raises TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_dlq_entries
  to tasker_orchestrator, tasker_operator, tasker_reader;
