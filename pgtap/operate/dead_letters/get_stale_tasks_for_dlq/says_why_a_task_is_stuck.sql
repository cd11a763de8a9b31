begin;
select plan(4);

select tasker_test.freeze();
prepare reason as select s.dlq_reason from tasker.get_stale_tasks_for_dlq() as s where s.task_uuid = tasker_test.the_task();
select tasker_test.start_task();
select tasker_test.pass('2 days');
select results_eq('reason', array['worker_unavailable'], 'a task whose step no worker takes has worker_unavailable');
select tasker_test.make_task_in('blocked_by_failures');
update tasker.workflow_steps set attempts = max_attempts where state = 'error';
select tasker_test.pass('2 days');
select results_eq('reason', array['max_retries_exceeded'], 'a task with a step without attempts has max_retries_exceeded');
select tasker_test.make_task_in('waiting_for_dependencies');
update tasker.workflow_steps set total_parents = 1, pending_parents = 1
 where task_uuid = tasker_test.the_task() and name = 'top';
select tasker_test.pass('2 days');
select results_eq('reason', array['dependency_cycle_detected'], 'a task whose steps wait for each other has dependency_cycle_detected');
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.pass('2 days');
select results_eq('reason', array['staleness_timeout'], 'any other task has staleness_timeout');

select * from finish();
rollback;
