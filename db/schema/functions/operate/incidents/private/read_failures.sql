create or replace function tasker.read_failures(p_since timestamptz, p_limit integer)
  returns setof tasker.read_failures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    l.task_uuid, l.step_no, l.sort_key - u.after, l.created_at,
    coalesce(l.metadata ->> 'error', 'no error text') as error,
    n.name as namespace, k.name as handler, t.named_task_uuid,
    case
      when t.complete then 'over'
      when s.state = 'error' then 'failed'
      when s.state in ('complete', 'cancelled', 'resolved_manually') then 'over'
      else 'retrying'
    end as stands
  from tasker.step_log as l
  join tasker.step_log_paths as u
    on u.path = l.path
   and u.to_state = 'enqueued_as_error_for_orchestration'
  join tasker.workflow_steps as s
    on s.task_uuid = l.task_uuid
   and s.step_no = l.step_no
  join tasker.tasks as t
    on t.task_uuid = l.task_uuid
  join tasker.named_tasks as d
    on d.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = d.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = s.named_step_uuid
  where l.path >= 1000
    and l.created_at >= p_since
    and not exists (
      select
        from tasker.error_steps as e
       where e.task_uuid = l.task_uuid
         and e.step_no = l.step_no
         -- In a path, at most one transition follows the failure. Between two failures of a step there is more than one
         -- transition.
         and e.sort_key >= l.sort_key - 1
    )
  order by l.created_at
  limit p_limit;
end;
$$;

comment on function tasker.read_failures is
$$Returns at most p_limit failures that were recorded since p_since and that tasker.error_steps does not have yet, the
oldest first.

Reads the log's index of failures.$$;
