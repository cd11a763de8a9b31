begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.begin_function();
select is(tasker_test.suspend(1, '{"await": {"for": 60}}'), 'suspended', 'the step is suspended');
select tasker_test.remember_rows();
select is(tasker_test.suspend(1, '{"await": {"for": 60}}'), 'suspended', 'a repeat gets the same answer');
select results_eq(
  $$ select a.answer::text from tasker.suspend_step(tasker_test.the_step('work'), 99, 1, '$wait', 1, '{"await": {"for": 60}}') as a $$,
  $$ values ('stale') $$, 'another claim is stale'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select is(tasker_test.suspend(1, '{"await": {"for": 60}}'), 'suspended', 'a late repeat gets the same answer');
select tasker_test.run_function();
select is(tasker_test.suspend(1, '{"await": {"for": 60}}'), 'known {"by": "for"}', 'the next run gets the kept end of the wait');
select is(tasker_test.suspend(1, '{"await": {"for": 60}}', '$other'), 'diverged {"by": "for"}', 'a wait of another name has diverged');
select tasker.cancel_task(tasker_test.the_task());
select is(tasker_test.suspend(2, '{"await": {"for": 60}}'), 'cancelled', 'a suspension of a cancelled step is told so');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
