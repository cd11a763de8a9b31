begin;
select plan(4);

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
create temporary table since (at timestamptz);
insert into since select date_trunc('minute', tasker.clock() - make_interval(mins => m)) from unnest(array[5, 61, 137, 600]) as m;
-- Two days of minutes are kept; all of this lies within them.
select is_empty(
  $$
  select s.at, m.*
    from since as s
   cross join lateral (
     select a.task_throughput, a.completion_count, a.error_count, a.step_throughput,
            a.avg_task_duration, a.avg_step_duration, a.completion_rate, a.error_rate
       from tasker.get_analytics_metrics(s.at) as a
   ) as m
   where m is distinct from (
     select row(
       count(*), count(*) filter (where l.to_state = 'complete'), count(*) filter (where l.to_state = 'error'),
       (select count(*) from tasker.workflow_step_result_audit as a where a.recorded_at >= s.at),
       coalesce(round(avg(floor(extract(epoch from l.created_at - t.started_at) * 1000)) filter (where l.to_state = 'complete') / 1000, 3), 0),
       (select coalesce(round(avg(a.execution_time_ms) / 1000, 3), 0) from tasker.workflow_step_result_audit as a where a.recorded_at >= s.at),
       coalesce(round(count(*) filter (where l.to_state = 'complete') / nullif(count(*), 0)::numeric, 4), 0),
       coalesce(round(count(*) filter (where l.to_state = 'error') / nullif(count(*), 0)::numeric, 4), 0)
     )
       from tasker.task_transition_log as l
       join tasker.tasks as t on t.task_uuid = l.task_uuid
      where l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
        and l.created_at >= s.at
   )
  $$,
  'whatever the period: minutes, hours, and both'
);
select is_empty(
  $$
  select * from (
    select h.complete_tasks, h.error_tasks, h.cancelled_tasks, h.complete_steps, h.error_steps, h.cancelled_steps
      from tasker.get_system_health_counts() as h
  ) as h
  where h is distinct from (
    select row(
      (select count(*) from tasker.tasks where state = 'complete'), (select count(*) from tasker.tasks where state = 'error'),
      (select count(*) from tasker.tasks where state = 'cancelled'), (select count(*) from tasker.workflow_steps where state = 'complete'),
      (select count(*) from tasker.workflow_steps where state = 'error'), (select count(*) from tasker.workflow_steps where state = 'cancelled')
    )
  )
  $$,
  'the totals, of which some are settled and some are not'
);
select cmp_ok(
  (select sum(o.completed) from tasker.task_totals as o where o.settled), '>', 0::numeric, 'some are settled indeed'
);
select cmp_ok((select count(*) from tasker.step_hours), '>', 0::bigint, 'and some come from the materialised view');

select * from finish();
rollback;
