begin;
select plan(5);

prepare waiting as
  select w.priority from tasker.waiting_tasks as w where w.task_uuid = tasker_test.the_task();

select tasker_test.make_task();
delete from tasker.waiting_tasks where task_uuid = tasker_test.the_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select results_eq('waiting', 'values (0)', 'a direct call leaves the task to an orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'error');
select is_empty('waiting', 'an ended task waits for no orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'pending');
select results_eq('waiting', 'values (0)', 'a reset task waits for an orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'cancelled');
select is_empty('waiting', 'it waits for none after the next end');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
