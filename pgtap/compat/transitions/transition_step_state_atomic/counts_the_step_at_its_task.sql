begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.start_task();

create function pg_temp.counters()
  returns text
  language sql
as $$
  select format(
           '%s open, %s active, %s retrying, %s failed of %s',
           t.open_steps, t.active_steps, t.retrying_steps, t.failed_steps, t.total_steps
         )
    from tasker.tasks as t
   where t.task_uuid = tasker_test.the_task();
$$;

select is(pg_temp.counters(), '4 open, 1 active, 0 retrying, 0 failed of 4', 'an enqueued step is open and active');
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration');
select is(
  pg_temp.counters(), '4 open, 1 active, 0 retrying, 0 failed of 4',
  'a recorded failure is still active'
);
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select is(pg_temp.counters(), '4 open, 0 active, 1 retrying, 0 failed of 4', 'a step that waits for a retry is open and retrying');
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select is(pg_temp.counters(), '3 open, 0 active, 0 retrying, 1 failed of 4', 'a step that failed for good is failed');
select tasker_test.move_step(tasker_test.the_step('top'), 'pending');
select is(pg_temp.counters(), '4 open, 0 active, 0 retrying, 0 failed of 4', 'a retried step is open');
select tasker_test.complete_step(tasker_test.the_step('top'));
select is(pg_temp.counters(), '3 open, 0 active, 0 retrying, 0 failed of 4', 'a complete step is no longer open');
select tasker_test.move_step(tasker_test.the_step('left'), 'cancelled');
select tasker_test.move_step(tasker_test.the_step('right'), 'resolved_manually');
select is(pg_temp.counters(), '1 open, 0 active, 0 retrying, 0 failed of 4', 'cancelled and resolved steps are no longer open');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
