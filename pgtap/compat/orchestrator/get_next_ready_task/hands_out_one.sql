begin;
select plan(3);

select is_empty('select from tasker.get_next_ready_task()', 'it returns no row without a ready task');
select tasker_test.make_task();
select results_eq('select r.task_uuid from tasker.get_next_ready_task() as r', 'select tasker_test.the_task()', 'it returns the ready task');
select is_empty('select from tasker.get_next_ready_task()', 'it does not return the task again');

select * from finish();
rollback;
