begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
-- Some days of random work: tasks that end in all ways, results with and without a time.
create function pg_temp.work(p_tasks integer) returns void language plpgsql as $$
declare
  v_task uuid;
  v_step text;
begin
  perform tasker_test.register('pair', 'one', 'two one');
  for i in 1 .. p_tasks loop
    perform tasker_test.pass(make_interval(secs => 600 * random()));
    v_task := tasker_test.start_task(case when random() < 0.5 then 'pair' else 'diamond' end);
    for v_step in select s.name from tasker.workflow_steps as s where s.task_uuid = v_task order by s.step_no loop
      perform tasker_test.pass(make_interval(secs => 30 * random()));
      exit when random() < 0.1;
      if tasker.get_current_step_state(tasker_test.the_step(v_step)) = 'pending' then
        perform tasker_test.move_step(tasker_test.the_step(v_step), 'enqueued');
      end if;
      perform tasker_test.move_step(tasker_test.the_step(v_step), 'in_progress');
      if random() < 0.2 then
        perform tasker.transition_step_state_atomic(
          tasker_test.the_step(v_step), 'in_progress', 'enqueued_as_error_for_orchestration', null,
          jsonb_build_object('execution_time_ms', floor(exp(random() * 10)))
        );
        perform tasker_test.move_step(tasker_test.the_step(v_step), 'error');
        exit;
      end if;
      perform tasker.transition_step_state_atomic(
        tasker_test.the_step(v_step), 'in_progress', 'enqueued_for_orchestration', null,
        case when random() < 0.9 then jsonb_build_object('execution_time_ms', floor(exp(random() * 10))) else '{}' end
      );
      perform tasker_test.move_step(tasker_test.the_step(v_step), 'complete');
    end loop;
    perform tasker_test.move_task(v_task, 'evaluating_results');
    if (select t.open_steps + t.failed_steps = 0 from tasker.tasks as t where t.task_uuid = v_task) then
      perform tasker_test.move_task(v_task, 'complete');
    else
      perform tasker_test.move_task(v_task, case when random() < 0.5 then 'cancelled' else 'error' end);
    end if;
    if i % 20 = 0 then
      perform tasker.refresh_analytics();
    end if;
  end loop;
  perform tasker.refresh_analytics();
end;
$$;

select pg_temp.work(120);
create temporary table since as select date_trunc('minute', tasker.clock() - interval '150 minutes') as at;
create temporary table wanted as
  select w.named_step_uuid,
         round(coalesce(avg(a.execution_time_ms), 0) / 1000, 3) as avg,
         round(coalesce(max(a.execution_time_ms), 0) / 1000.0, 3) as max,
         round(coalesce(min(a.execution_time_ms), 0) / 1000.0, 3) as min,
         count(*)::integer as executions,
         count(*) filter (where not a.success)::integer as errors,
         max(a.recorded_at) as last_at,
         percentile_disc(0.5) within group (order by a.execution_time_ms) as p50,
         percentile_disc(0.95) within group (order by a.execution_time_ms) as p95,
         percentile_disc(0.99) within group (order by a.execution_time_ms) as p99
    from tasker.workflow_step_result_audit as a
    join tasker.workflow_steps as w on w.task_uuid = a.task_uuid and w.step_no = a.step_no
   where a.recorded_at >= (select s.at from since as s)
   group by w.named_step_uuid;
create temporary table have as select s.* from since as b cross join lateral tasker.get_slowest_steps(b.at) as s;

select set_eq(
  'select h.named_step_uuid, h.avg_duration_seconds, h.max_duration_seconds, h.min_duration_seconds, h.execution_count, h.error_count, h.last_executed_at from have as h',
  'select w.named_step_uuid, w.avg, w.max, w.min, w.executions, w.errors, w.last_at from wanted as w',
  'averages, extremes and counts are exact'
);
select is_empty(
  $$
  select p.want, p.have
    from have as h
    join wanted as w on w.named_step_uuid = h.named_step_uuid
   cross join lateral (values
     (w.p50, h.p50_duration_seconds), (w.p95, h.p95_duration_seconds), (w.p99, h.p99_duration_seconds)
   ) as p (want, have)
   where abs(p.have - p.want / 1000.0) > 0.1 * p.want / 1000.0 + 0.001
  $$,
  'percentiles are within ten percent'
);
select results_eq(
  'select h.named_step_uuid from have as h',
  'select w.named_step_uuid from wanted as w order by w.avg desc', 'the slowest goes first'
);

select * from finish();
rollback;
