begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 0}');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending', 'enqueued', 'in_progress');

select is(
  (select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 2,
  'the second attempt counts as the second'
);
select is(
  (select s.claim_no from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 2,
  'the second claim has number two'
);

select * from finish();
rollback;
