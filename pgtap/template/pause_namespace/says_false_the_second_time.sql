begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('test');

select ok(tasker.pause_namespace('test', 'ann'), 'the first call');
select tasker_test.pass('1 hour');
select tasker_test.remember_rows();
select is(tasker.pause_namespace('test', 'bob'), false, 'somebody else''s call after it');
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
