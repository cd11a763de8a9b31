create or replace function tasker.get_dlq_investigation_queue(p_limit integer default null)
  returns setof tasker.dlq_investigations
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  return query
  select
    d.dlq_entry_uuid,
    d.task_uuid,
    d.task_snapshot #>> '{task,namespace}',
    d.task_snapshot #>> '{task,name}',
    d.original_state,
    d.dlq_reason,
    d.dlq_timestamp,
    w.minutes,
    w.minutes + case d.dlq_reason
      when 'dependency_cycle_detected' then 1000
      when 'max_retries_exceeded' then 500
      when 'staleness_timeout' then 100
      when 'worker_unavailable' then 50
      else 10
    end as priority_score,
    d.resolution_notes,
    d.metadata
  from tasker.tasks_dlq as d
  cross join lateral (select round(extract(epoch from tasker.clock() - d.dlq_timestamp) / 60, 2) as minutes) as w
  where d.resolution_status = 'pending'
    and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
  order by 9 desc, d.dlq_entry_uuid
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.get_dlq_investigation_queue is
$$Returns up to p_limit open investigations (default 100, at most 10,000), the most urgent first. The urgency depends on
the reason, and then on how long the investigation has waited. Raises TK422 for a limit out of range. A bound caller
sees only its own namespaces.$$;

grant execute on function tasker.get_dlq_investigation_queue
  to tasker_orchestrator, tasker_operator, tasker_reader;
