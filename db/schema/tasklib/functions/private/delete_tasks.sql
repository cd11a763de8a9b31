create or replace function tasklib.delete_tasks(
  p_ids uuid[]
)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  delete from tasklib.task_runs as r using unnest(p_ids) as u (id) where r.task_id = u.id;
  delete from tasklib.tasks as t using unnest(p_ids) as u (id) where t.id = u.id;
  return cardinality(p_ids);
end;
$$;

comment on function tasklib.delete_tasks is
$$Deletes tasks and their recorded runs. The caller has locked the tasks. Returns the number of tasks.$$;
