begin;
select plan(2);

select tasker_test.take_turn();
select tasker.set_setting('enforce_processor_ownership', 'true');
select tasker_test.create_task();
update tasker.tasks set processor_uuid = '00000000-0000-0000-0000-00000000000a' where task_uuid = tasker_test.the_task();

select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task cancels a task that another processor owns');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
