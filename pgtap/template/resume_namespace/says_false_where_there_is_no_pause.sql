begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('test');

select tasker_test.remember_rows();
select is(tasker.resume_namespace('test'), false, 'one that was never paused');
select is_empty('select tasker_test.changed_tables()', 'is not changed');
select tasker.pause_namespace('test');
select ok(tasker.resume_namespace('test'), 'a paused one is resumed');
select is(tasker.resume_namespace('test'), false, 'once');

select * from finish();
rollback;
