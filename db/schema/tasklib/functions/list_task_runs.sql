create or replace function tasklib.list_task_runs(
  p_id uuid
)
  returns setof tasklib.task_runs
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
  if not exists (select from tasklib.tasks as t where t.id = p_id) then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  return query
  select r.*
    from tasklib.task_runs as r
   where r.task_id = p_id
   order by r.claim_no;
end;
$$;

comment on function tasklib.list_task_runs is
$$Returns the ended runs of a task, oldest first: the worker, its role, the start, the end and the outcome of each run. Runs are recorded only while the setting audit_runs is true. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.list_task_runs to tasklib_operator, tasklib_reader;
