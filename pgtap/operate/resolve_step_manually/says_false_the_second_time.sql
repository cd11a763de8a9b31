begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();

select ok(tasker.resolve_step_manually(tasker_test.the_step('top'), 'done', 'ann'), 'the first call');
select tasker_test.remember_rows();
select is(tasker.resolve_step_manually(tasker_test.the_step('top'), 'done', 'bob'), false, 'somebody else''s call after it');
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
