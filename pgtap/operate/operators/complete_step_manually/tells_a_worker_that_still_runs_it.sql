begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker.complete_step_manually(tasker_test.the_step('top'), '{"by": "hand"}');

select tasker_test.remember_rows();
select is(tasker_test.finish('top', '{"by": "worker"}'), 'already_complete', 'the worker''s result is answered as already complete');
select is(tasker_test.fail_for_good('top'), 'already_complete', 'the worker''s failure is answered as already complete');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
