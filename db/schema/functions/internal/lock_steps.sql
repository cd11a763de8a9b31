create or replace function tasker.lock_steps(p_task_uuids uuid[], p_step_nos integer[])
  returns void
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
  perform
     from (
       select distinct u.task_uuid, u.step_no
         from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
        order by u.task_uuid, u.step_no
     ) as u
    cross join lateral (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = u.task_uuid
         and s.step_no = u.step_no
         for no key update
    ) as s;
end;
$$;

comment on function tasker.lock_steps(uuid[], integer[]) is
$$Locks steps, each named by its task and number, in that order. Who holds one of them without its task never waits for anything, so this ends.$$;

revoke all on function tasker.lock_steps(uuid[], integer[]) from public;
