create or replace function tasker.list_runs(
  p_namespace  text,
  p_name       text     default null,
  p_run_key    text     default null,
  p_limit      integer  default 100
)
  returns setof tasker.run_details
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
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  return query
  select
    d.task_uuid, d.namespace, d.name, d.run_key, d.state,
    case when d.state = 'running' then case when d.blocked then 'blocked' end
         when d.line_at > tasker.clock() then 'start'
         when bool_or(d.blocked) over (partition by d.name, d.run_key) then 'blocked'
         else 'run'
    end,
    case when d.state = 'waiting' then (row_number() over (partition by d.name, d.run_key, d.state order by d.rank desc, d.line_at, d.line_no))::integer end,
    d.task_state, d.priority, d.line_at, d.run_at
  from (
    select r.*, t.state as task_state, t.priority, r.state = 'running' and t.state in ('error', 'blocked_by_failures') as blocked
      from tasker.runs as r
      join tasker.tasks as t
        on t.task_uuid = r.task_uuid
     where r.namespace = p_namespace
       and r.name = coalesce(p_name, r.name)
       and r.run_key = case when p_run_key is null then r.run_key else tasker.limit_key_of('$', to_jsonb(p_run_key), null) end
       and r.state in ('running', 'waiting')
  ) as d
  order by d.name, d.run_key, d.state, d.rank desc, d.line_at, d.line_no
  limit p_limit;
end;
$$;

comment on function tasker.list_runs is
$$Returns the tasks of a namespace whose template limits the runs by key: the tasks that run in a place of their key, and the tasks that wait for a place, in the order of the line. With p_name, returns the tasks of one template, and with p_run_key the tasks of one key. Returns at most p_limit rows.

Reads all tasks that run or wait in these lines. Raises TK422 if p_limit is out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_runs
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
