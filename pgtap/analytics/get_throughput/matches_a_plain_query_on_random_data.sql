begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
select tasker_test.register('pair', 'one', 'two one');
-- Some days of random work: tasks that end in all ways, results with and without a time.
create function pg_temp.work(p_tasks integer) returns void language plpgsql as $$
declare
  v_task uuid;
  v_step text;
begin
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

select pg_temp.work(60);
-- By minutes of which some are two days old and merged, by hours, by days.
select tasker_test.pass('40 hours');
select pg_temp.work(60);
create function pg_temp.differences(p_since timestamptz, p_bucket interval) returns bigint language sql as $$
  select count(*)
    from tasker.get_throughput(p_since, p_bucket) as h
   where row(h.tasks_started, h.tasks_completed, h.tasks_failed, h.tasks_cancelled, h.step_results, h.step_failures, h.avg_task_seconds, h.avg_step_seconds)
         is distinct from (
     select row(
       count(*) filter (where l.event = 'Start'), count(*) filter (where l.to_state = 'complete'),
       count(*) filter (where l.to_state = 'error'), count(*) filter (where l.to_state = 'cancelled'),
       (select count(*) from tasker.workflow_step_result_audit as a where a.recorded_at >= h.bucket_start and a.recorded_at < h.bucket_start + p_bucket),
       (select count(*) from tasker.workflow_step_result_audit as a where not a.success and a.recorded_at >= h.bucket_start and a.recorded_at < h.bucket_start + p_bucket),
       coalesce(round(avg(floor(extract(epoch from l.created_at - t.started_at) * 1000)) filter (where l.to_state = 'complete') / 1000, 3), 0),
       (select coalesce(round(avg(a.execution_time_ms) / 1000, 3), 0) from tasker.workflow_step_result_audit as a where a.recorded_at >= h.bucket_start and a.recorded_at < h.bucket_start + p_bucket)
     )
       from tasker.task_transition_log as l
       join tasker.tasks as t on t.task_uuid = l.task_uuid
      where l.created_at >= h.bucket_start and l.created_at < h.bucket_start + p_bucket
   )
$$;
select is(pg_temp.differences(tasker.clock() - interval '4 hours', '10 minutes'), 0::bigint, 'by ten minutes');
select is(pg_temp.differences('2026-11-21 09:00Z', '1 hour'), 0::bigint, 'by the hour, old minutes merged');
select cmp_ok((select sum(t.step_results) from tasker.get_throughput('2026-11-21 09:00Z', '1 day') as t), '>', 0::numeric, 'of work that there was');

select * from finish();
rollback;
