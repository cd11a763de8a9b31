begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.make_task_in('error');
select tasker.reset_task(tasker_test.the_task(), 'the bank is back', 'ann');
select is(tasker_test.last_entry(), 'Reset by ann for the bank is back', 'the log has the actor and the reason');
select is(tasker_test.last_entry('top'), 'Reset by ann for -', 'the logs of the steps have the actor without the reason');

select tasker_test.make_task_in('error');
select tasker_test.call_as('tasker_operator', 'select tasker.reset_task(tasker_test.the_task())');
select is(tasker_test.last_entry(), 'Reset by tasker_operator for -', 'the log names the caller''s role if no actor is given');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
