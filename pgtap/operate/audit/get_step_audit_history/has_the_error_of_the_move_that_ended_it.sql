-- A task misses its deadline while a step runs; after a reset, the step fails for a reason of its own.
begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.claim('top');
select tasker_test.pass('2 hours');
select tasker.fire_due_timers();
select tasker.reset_task(tasker_test.the_task());
select tasker_test.claim('top');
select is(tasker_test.fail_for_good('top', true, 'the bank is closed'), 'failed', 'the step fails again');

select results_eq(
  $$ select a.error from tasker.get_step_audit_history(tasker_test.the_step('top')) as a $$,
  $$ values ('the bank is closed'), ('its deadline has passed') $$, 'each failure has its own error'
);

select * from finish();
rollback;
