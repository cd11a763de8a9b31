create or replace function tasker.forget_creation_policies(p_limit integer)
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
  delete from tasker.creation_throttles as h
   where h.ctid = any (array(
     select o.ctid
       from tasker.creation_throttles as o
      where o.free_at < tasker.clock() - interval '1 minute'
      order by o.free_at
      limit p_limit
        for update skip locked
   ));
  delete from tasker.task_debounces as d
   where d.key_hash = any (array(
     select o.key_hash
       from tasker.task_debounces as o
      where o.first_at < tasker.clock() - interval '1 minute'
        and not exists (
          select from tasker.tasks as t where t.task_uuid = any (array[o.task_uuid]) and t.state = 'pending'
        )
      order by o.first_at
      limit p_limit
        for update skip locked
   ));
end;
$$;

comment on function tasker.forget_creation_policies is
$$Deletes the rows of throttles that no creation counts against any longer, and of debounced keys whose last task has started. Deletes at most p_limit rows of each kind, and skips locked rows.$$;
