create or replace function tasker.check_step_exists(p_step_uuid uuid)
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
  if not exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
  ) then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
end;
$$;

comment on function tasker.check_step_exists(uuid) is
$$Raises TK404 if there is no such step.$$;

revoke all on function tasker.check_step_exists(uuid) from public;
