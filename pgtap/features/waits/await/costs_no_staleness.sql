begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}]');
select tasker_test.pass('90 days');
select results_eq(
  $$ select t.health_status, t.waits_for from tasker.get_task_staleness() as t where t.task_uuid = tasker_test.the_task() $$,
  $$ values ('healthy', 'wait') $$, 'a task that waits for a person is not stale after ninety days'
);
select is_empty($$ select * from tasker.detect_and_transition_stale_tasks(false) $$, 'the task does not become a dead letter');
select is((select c.suspended_steps from tasker.get_system_health_counts() as c), 1::bigint, 'health counts the step as suspended');
select is_empty($$ select * from tasker.check_integrity() $$, 'the check of integrity finds nothing');

select * from finish();
rollback;
