create or replace function tasker.release_discoveries()
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
  update tasker.waiting_tasks as w
     set discovered_until = null
    from (
      select o.task_uuid
        from tasker.waiting_tasks as o
       where o.discovered_until <= tasker.clock()
       order by o.discovered_until
       limit 1000
         for update skip locked
    ) as o
   where w.task_uuid = o.task_uuid;
end;
$$;

comment on function tasker.release_discoveries() is
$$Makes the tasks free again whose discoverers did nothing in time: up to 1,000 a call. Waits for no lock.$$;

revoke all on function tasker.release_discoveries() from public;
