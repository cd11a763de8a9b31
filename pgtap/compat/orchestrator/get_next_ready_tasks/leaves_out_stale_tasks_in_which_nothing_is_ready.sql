begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.make_task_in('waiting_for_dependencies');
-- The second task has nothing to do: its only root is marked as enqueued.
update tasker.workflow_steps set state = 'enqueued' where task_uuid = tasker_test.the_task() and name = 'top';
select tasker_test.pass('59 minutes');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 2::bigint, 'both tasks are returned within the first hour');
select tasker_test.pass('1 minute');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 1::bigint, 'one task is returned after an hour');
select tasker_test.pass('30 days');
select results_eq(
  'select r.ready_steps_count from tasker.get_next_ready_tasks(10) as r', array[1::bigint],
  'a task with a ready step is returned at any age'
);

select * from finish();
rollback;
