begin;
select plan(5);

select tasker_test.freeze();
select tasker.set_setting('lease_seconds', '86400');
prepare health as
  select s.health_status, s.waits_for from tasker.get_task_staleness() as s where s.task_uuid = tasker_test.the_task();

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select tasker_test.pass('2 hours');
select results_eq('health', $$ values ('healthy', 'lease') $$, 'a task with a live lease is healthy');
select tasker_test.start_task();
select tasker_test.pass('2 hours');
select results_eq('health', $$ values ('healthy', 'backlog') $$, 'a task whose handler is busy with another task is healthy');
select tasker_test.make_task_in('waiting_for_retry');
update tasker.workflow_steps set next_retry_at = tasker.clock() + interval '5 hours' where task_uuid = tasker_test.the_task() and name = 'top';
update tasker.timers set due_at = tasker.clock() + interval '5 hours';
select tasker_test.pass('2 hours');
select results_eq('health', $$ values ('healthy', 'timer') $$, 'a task with a retry ahead is healthy');
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.pass('2 hours');
update tasker.task_namespaces set paused_at = tasker.clock(), paused_by = 'test';
select results_eq('health', $$ values ('healthy', 'namespace_paused') $$, 'a task of a paused namespace is healthy');
update tasker.task_namespaces set paused_at = null, paused_by = null;
select results_eq('health', $$ values ('stale', null::text) $$, 'any other task is stale');

select * from finish();
rollback;
