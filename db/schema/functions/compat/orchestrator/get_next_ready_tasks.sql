create or replace function tasker.get_next_ready_tasks(p_limit integer default null)
  returns setof tasker.ready_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_limit   integer := coalesce(p_limit, 5);
  v_now     timestamptz := tasker.clock();
  v_until   timestamptz := v_now + make_interval(secs => tasker.setting_integer('discovery_lease_seconds'));
  v_seen    uuid[] := '{}';
  v_next    uuid[];
  v_locked  uuid[];
  v_resting uuid[];
  v_ready   tasker.ready_tasks[];
  v_found   tasker.ready_tasks[] := '{}';
begin
  perform tasker.check_unbound();
  if v_limit not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 1,000', v_limit),
      hint    = 'A call hands out 1 to 1,000 tasks.';
  end if;
  perform tasker.release_discoveries();
  loop
    v_next := tasker.find_deferred_tasks(v_limit - cardinality(v_found), v_seen)
      || tasker.find_due_tasks(v_limit - cardinality(v_found), v_seen);
    exit when cardinality(v_next) = 0;

    -- Skip tasks that another session has locked.
    v_locked := tasker.lock_undiscovered_tasks(v_next);
    v_seen := v_seen || v_next;
    v_resting := tasker.find_resting_tasks(v_locked);
    select coalesce(array_agg(r), '{}')
      into v_ready
      from (
        select r.*
          from unnest(v_locked) as u (task_uuid)
          join tasker.task_readiness() as r
            on r.task_uuid = u.task_uuid
         where not u.task_uuid = any (v_resting)
         order by r.computed_priority desc, r.current_state, r.task_uuid
         limit v_limit - cardinality(v_found)
      ) as r;

    -- Also hide the resting tasks, so that they do not keep later calls from finding other tasks.
    perform tasker.put_tasks_aside((select array_agg(r.task_uuid) from unnest(v_ready) as r) || v_resting, v_until);
    v_found := v_found || v_ready;
    exit when cardinality(v_found) >= v_limit;
  end loop;

  return query
  select f.*
    from unnest(v_found) as f
   order by f.computed_priority desc, f.current_state, f.task_uuid;
end;
$$;

comment on function tasker.get_next_ready_tasks is
$$Hands out tasks that an orchestrator has to evaluate, by computed priority: up to p_limit tasks (default 5, at most 1,000), each to only one caller.

Returns tasks that have not started, that a direct call has changed, or whose start or retry is due. Never returns tasks that the engine advances by itself. Skips a stale waiting task without ready steps. A task is not handed out again for the time of the setting discovery_lease_seconds. After this time its timer advance_task is due, and advances the task if the caller has not done so. A deferred task has no such timer, so it is handed out again. This function does not change the tasks in any other way, and reads no finished tasks.

Locks the tasks. Skips tasks that other transactions hold, and so never waits. Raises TK422 if p_limit is out of bounds,
TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.get_next_ready_tasks to tasker_orchestrator, tasker_operator;
