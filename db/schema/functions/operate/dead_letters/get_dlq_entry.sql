create or replace function tasker.get_dlq_entry(p_dlq_entry_uuid uuid)
  returns setof tasker.dlq_entries
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
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
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
    d.task_snapshot
  from tasker.tasks_dlq as d
  left join tasker.tasks as t
    on t.task_uuid = d.task_uuid
  where d.dlq_entry_uuid = p_dlq_entry_uuid;

  if not found then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;
end;
$$;

comment on function tasker.get_dlq_entry is
$$Returns an investigation with its snapshot. Raises TK404 if there is no such entry, and TK403 if the caller is bound
to other namespaces than the task's.$$;

grant execute on function tasker.get_dlq_entry to tasker_orchestrator, tasker_operator, tasker_reader;
