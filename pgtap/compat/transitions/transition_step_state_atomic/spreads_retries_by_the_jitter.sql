-- A hundred steps fail at the same moment. Their wait without jitter is 200 seconds.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('crowd', variadic (select array_agg('s' || n) from generate_series(1, 100) as n));
update tasker.named_tasks_named_steps set backoff_base_seconds = 100, max_backoff_seconds = 1000 where step_name like 's%';
select tasker_test.start_task('crowd');
select tasker.set_setting('backoff_jitter', '0.25');

select tasker_test.fail_step(s.workflow_step_uuid)
  from tasker.workflow_steps as s
 where s.task_uuid = tasker_test.the_task();
select tasker_test.move_step(s.workflow_step_uuid, 'waiting_for_retry')
  from tasker.workflow_steps as s
 where s.task_uuid = tasker_test.the_task();

create temporary table waits as
  select extract(epoch from s.next_retry_at - tasker.clock()) as seconds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task();

select is_empty(
  'select seconds from waits where (seconds between 150 and 200) is not true',
  'no wait is longer than the backoff or more than a quarter shorter'
);
select ok((select count(distinct seconds) > 90 from waits), 'the waits differ');
select ok(
  (select min(seconds) < 165 and max(seconds) > 185 from waits),
  'the waits spread over the whole range'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
