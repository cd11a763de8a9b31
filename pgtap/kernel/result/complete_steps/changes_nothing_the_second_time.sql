begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.complete('top', '{"n": 1}');
select tasker_test.remember_rows();
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], '{1}', array['{"n": 2}']::jsonb[]) as a), 'already_complete', 'a repeated result is answered as already complete');
select is((select a.answer::text from tasker.fail_steps(array[tasker_test.the_step('top')], '{1}', '{no}') as a), 'already_complete', 'a failure after a result is answered as already complete');
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], '{2}') as a), 'stale', 'a claim number that was never assigned is stale');
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], '{0}') as a), 'stale', 'claim number zero is stale');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
