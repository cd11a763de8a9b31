begin;
select plan(3);

select is_empty('select from tasker.get_next_ready_task()', 'none if there is none');
select tasker_test.make_task();
select results_eq('select r.task_uuid from tasker.get_next_ready_task() as r', 'select tasker_test.the_task()', 'the one there is');
select is_empty('select from tasker.get_next_ready_task()', 'once');

select * from finish();
rollback;
