begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.call_as('tasker_operator', 'select tasker.resolve_step_manually(tasker_test.the_step(''top''))');
select is(tasker_test.last_entry('top'), 'ResolveManually by tasker_operator for -', 'the log names the caller''s role if no actor is given');

select * from finish();
rollback;
