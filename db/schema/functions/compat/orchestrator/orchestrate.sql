create or replace function tasker.orchestrate(p_limit integer default 100, p_processor_uuid uuid default null)
  returns setof tasker.orchestration_reports
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
  v_report tasker.orchestration_reports;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);

  v_report.requests_processed := tasker.process_task_requests(p_limit);
  v_report.timers_fired := tasker.fire_due_timers(p_limit, p_processor_uuid);
  v_report.tasks_advanced := tasker.start_deferred_tasks(p_limit, p_processor_uuid);
  v_report.steps_recovered := tasker.recover_lost_steps(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'running'
         and g.visible_at <= tasker.clock()
    ),
    p_limit, p_processor_uuid
  );
  v_report.results_processed := tasker.process_step_results(p_limit, p_processor_uuid);
  v_report.next_due_at := tasker.next_due_at(null, true);
  return next v_report;
end;
$$;

comment on function tasker.orchestrate is
$$Does all work of an orchestrator in one call, also for pg_cron or a poller. Processes at most p_limit of each: task
requests, due timers, deferred starts, steps of lost workers, and recorded results. Returns one row with the number of
each. p_processor_uuid names the processor in the log.

Any number of sessions may call this function at once. Takes the locks of process_task_requests, fire_due_timers and
process_step_results, one after the other. Also locks queue rows and steps of lost workers, without waiting. Raises
TK422 for a limit out of range, TK409 above READ COMMITTED, TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.orchestrate to tasker_orchestrator, tasker_operator;
