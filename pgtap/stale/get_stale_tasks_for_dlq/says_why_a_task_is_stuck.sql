begin;
select plan(4);

select tasker_test.freeze();
prepare reason as select s.dlq_reason from tasker.get_stale_tasks_for_dlq() as s where s.task_uuid = tasker_test.the_task();
select tasker_test.start_task();
select tasker_test.pass('2 days');
select results_eq('reason', array['worker_unavailable'], 'nobody takes its step');
select tasker_test.make_task_in('blocked_by_failures');
update tasker.workflow_steps set attempts = max_attempts where state = 'error';
select tasker_test.pass('2 days');
select results_eq('reason', array['max_retries_exceeded'], 'a step has used up its attempts');
select tasker_test.make_task_in('waiting_for_dependencies');
update tasker.workflow_steps set total_parents = 1, pending_parents = 1
 where task_uuid = tasker_test.the_task() and name = 'top';
select tasker_test.pass('2 days');
select results_eq('reason', array['dependency_cycle_detected'], 'its steps wait for one another');
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.pass('2 days');
select results_eq('reason', array['staleness_timeout'], 'none of these');

select * from finish();
rollback;
