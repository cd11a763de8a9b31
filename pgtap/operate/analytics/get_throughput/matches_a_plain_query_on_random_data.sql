begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
select tasker_test.register('pair', 'one', 'two one');
select setseed(0.16);
select tasker_test.random_work(60);
-- Some of the minutes are two days old and merged into their hours.
select tasker_test.pass('40 hours');
select tasker_test.random_work(60);
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
select is(pg_temp.differences(tasker.clock() - interval '4 hours', '10 minutes'), 0::bigint, 'periods of ten minutes match a plain query');
select is(pg_temp.differences('2026-11-21 09:00Z', '1 hour'), 0::bigint, 'hours match a plain query, also where minutes are merged');
select cmp_ok((select sum(t.step_results) from tasker.get_throughput('2026-11-21 09:00Z', '1 day') as t), '>', 0::numeric, 'there were results to compare');

select * from finish();
rollback;
