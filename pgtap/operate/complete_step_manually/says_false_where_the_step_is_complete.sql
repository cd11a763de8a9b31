begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "ann"}', 'done', 'ann');

select tasker_test.remember_rows();
select is(tasker.complete_step_manually(tasker_test.the_step('top'), '{"by": "bob"}'), false, 'by its worker');
select is(tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "bob"}'), false, 'by somebody else');
select is_empty('select tasker_test.changed_tables()', 'and what they said stays');

select * from finish();
rollback;
