begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.pass('29 minutes');
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select tasker_test.pass('29 minutes');
select results_eq(
  'select s.minutes_without_progress, s.time_in_state_minutes, s.health_status from tasker.get_task_staleness() as s',
  $$ values (29.00, 58.00, 'warning') $$, 'the time counts from the last progress, not from the state''s begin'
);
select tasker_test.pass('2 minutes');
select results_eq(
  'select s.health_status, s.dlq_reason from tasker.get_task_staleness() as s', $$ values ('stale', 'worker_unavailable') $$,
  'a task whose step''s lease has long ended is stale'
);
select is((select s.task_age_minutes from tasker.get_task_staleness() as s), 60.00, 'the age counts from the request');

select * from finish();
rollback;
