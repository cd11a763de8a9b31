begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('test');

select tasker_test.remember_rows();
select is(tasker.resume_namespace('test'), false, 'a namespace that was never paused returns false');
select is_empty('select tasker_test.changed_tables()', 'the call changes no table');
select tasker.pause_namespace('test');
select ok(tasker.resume_namespace('test'), 'a paused namespace returns true');
select is(tasker.resume_namespace('test'), false, 'a second call returns false');

select * from finish();
rollback;
