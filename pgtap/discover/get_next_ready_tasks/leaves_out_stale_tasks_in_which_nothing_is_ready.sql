begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.make_task_in('waiting_for_dependencies');
-- Of this one nothing can be done: its only root was taken from it.
update tasker.workflow_steps set state = 'enqueued' where task_uuid = tasker_test.the_task() and name = 'top';
select tasker_test.pass('59 minutes');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 2::bigint, 'both within the hour');
select tasker_test.pass('1 minute');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 1::bigint, 'one after it');
select tasker_test.pass('30 days');
select results_eq(
  'select r.ready_steps_count from tasker.get_next_ready_tasks(10) as r', array[1::bigint],
  'the one that has a ready step, however old it is'
);

select * from finish();
rollback;
