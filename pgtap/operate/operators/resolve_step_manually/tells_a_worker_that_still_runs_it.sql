begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');

select ok(tasker.resolve_step_manually(tasker_test.the_step('top')), 'a running step is resolved');
select tasker_test.remember_rows();
select is(tasker_test.finish('top'), 'already_complete', 'the worker''s result is answered as already complete');
select is(tasker_test.fail_for_good('top'), 'already_complete', 'the worker''s failure is answered as already complete');
select is(
  (select e.answer::text from tasker.extend_leases(array[tasker_test.the_step('top')], array[1]) as e), 'stale', 'the worker''s renewal is stale'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
