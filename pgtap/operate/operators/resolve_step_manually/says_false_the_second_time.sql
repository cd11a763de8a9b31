begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();

select ok(tasker.resolve_step_manually(tasker_test.the_step('top'), 'done', 'ann'), 'the first call returns true');
select tasker_test.remember_rows();
select is(tasker.resolve_step_manually(tasker_test.the_step('top'), 'done', 'bob'), false, 'another caller''s call after it returns false');
select is_empty('select tasker_test.changed_tables()', 'the second call changes no table');

select * from finish();
rollback;
