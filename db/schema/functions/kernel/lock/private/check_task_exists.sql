create or replace function tasker.check_task_exists(p_task_uuid uuid)
  returns void
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
  if not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.check_task_exists(uuid) is
$$Raises TK404 if there is no such task.$$;

revoke all on function tasker.check_task_exists(uuid) from public;
