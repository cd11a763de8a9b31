create or replace function tasker.process_step_results(p_limit integer default 100, p_processor_uuid uuid default null)
  returns integer
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
  v_now      timestamptz := tasker.clock();
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
  v_moves    tasker.step_moves[];
begin
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  select c.* into v_settings from tasker.settings_now as c;
  v_taken := tasker.take_queue_rows(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'results'
         and g.visible_at <= v_now
    ),
    p_limit, v_now + interval '1 second', false, v_settings
  );
  perform tasker.discard_result_messages(p_limit);
  if cardinality(v_taken) = 0 then
    return 0;
  end if;

  -- A task that another transaction holds is tried again in a second.
  v_moves := tasker.deferred_moves(
    v_taken, tasker.lock_tasks(array(select q.task_uuid from unnest(v_taken) as q)), v_settings
  );
  if cardinality(v_moves) = 0 then
    return 0;
  end if;
  return cardinality(tasker.apply_moves(
    v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), false, p_processor_uuid
  ));
end;
$$;

comment on function tasker.process_step_results(integer, uuid) is
$$Processes results that workers of namespaces with result_mode deferred have recorded, and advances their tasks as complete_steps does. Returns how many. p_processor_uuid names the processor in the log.

Any number of orchestrators may call it at once: each takes other results. A task that another transaction holds is skipped for a second. The queue rows decide; as many messages of orchestration_step_results, which announced the results, are deleted. Locks queue rows and tasks, without waiting, then steps. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.process_step_results(integer, uuid) from public;
grant execute on function tasker.process_step_results(integer, uuid) to tasker_orchestrator, tasker_operator;
