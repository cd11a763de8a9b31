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
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  select c.* into v_settings from tasker.settings_now as c;
  -- The subtransaction includes the locks, for the reason that tasker.fire_timers gives.
  begin
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
    return tasker.process_taken_results(v_taken, v_settings, p_processor_uuid);
  exception when others then
    if coalesce(cardinality(v_taken), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.process_one_by_one(v_taken, v_settings, p_processor_uuid);
end;
$$;

comment on function tasker.process_step_results is
$$Processes at most p_limit results that transition_step_state_atomic has recorded, and returns how many it processed. Steps with such results are in state enqueued_for_orchestration or enqueued_as_error_for_orchestration. Advances their tasks as complete_steps does. p_processor_uuid names the processor in the log.

Any number of orchestrators may call this function at once, and each call takes different results. If a result fails, each result is processed in its own subtransaction, and the failed result is tried again later. If another transaction holds a task, its results are tried again after a second. The queue rows decide which results are processed. Also deletes up to p_limit messages of orchestration_step_results, which only announced results. Locks queue rows and tasks, without waiting, then steps. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

grant execute on function tasker.process_step_results to tasker_orchestrator, tasker_operator;
