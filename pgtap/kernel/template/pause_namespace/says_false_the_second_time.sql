begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('test');

select ok(tasker.pause_namespace('test', 'ann'), 'the first call returns true');
select tasker_test.pass('1 hour');
select tasker_test.remember_rows();
select is(tasker.pause_namespace('test', 'bob'), false, 'another caller''s call after it returns false');
select is_empty('select tasker_test.changed_tables()', 'the second call changes no table');

select * from finish();
rollback;
