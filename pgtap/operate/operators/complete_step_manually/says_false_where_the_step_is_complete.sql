begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "ann"}', 'done', 'ann');

select tasker_test.remember_rows();
select is(tasker.complete_step_manually(tasker_test.the_step('top'), '{"by": "bob"}'), false, 'a step that its worker completed returns false');
select is(tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "bob"}'), false, 'a step that an operator completed returns false');
select is_empty('select tasker_test.changed_tables()', 'the results are unchanged');

select * from finish();
rollback;
