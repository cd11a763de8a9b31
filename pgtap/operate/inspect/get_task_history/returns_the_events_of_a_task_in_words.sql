begin;
select plan(3);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker.register_worker('00000000-0000-0000-0000-0000000000c1', 'worker one');
select tasker_test.register_as('pair', '{}', 'first', 'second first');
select tasker_test.create_task('pair', p_start_at => tasker.clock() + interval '1 hour');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.pass('1 second');
select tasker_test.claim('first');
select tasker_test.pass('1 second');
select tasker_test.fail_for_good('first', false);
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.pass('1 second');
select tasker_test.claim('first');
select tasker_test.pass('1 second');
select tasker_test.finish('first');
select tasker_test.pass('1 second');
select tasker_test.claim('second');
select tasker_test.pass('1 second');
select tasker_test.fail_for_good('second');
select tasker_test.pass('1 second');
select tasker.retry_step(tasker_test.the_step('second'), 'the bank is back', 'ann');
select tasker_test.pass('1 second');
select tasker.complete_step_manually(tasker_test.the_step('second'), '{}', 'by phone', 'bob');

select results_eq(
  'select h.description from tasker.get_task_history(tasker_test.the_task()) as h',
  $$
  values
    ('task started'),
    ('step "first" became ready'),
    ('task went from initializing to enqueuing steps'),
    ('task went from enqueuing steps to steps in process'),
    ('step "first" was claimed by worker one'),
    ('step "first" reported a failure after 1000 ms: the bank is closed'),
    ('step "first" waits for another attempt'),
    ('task went from steps in process to waiting for retry'),
    ('task went from waiting for retry to enqueuing steps'),
    ('step "first" is to be tried again'),
    ('step "first" became ready'),
    ('task went from enqueuing steps to steps in process'),
    ('step "first" was claimed by worker one'),
    ('step "first" returned a result after 7 ms'),
    ('step "first" completed'),
    ('step "second" became ready'),
    ('task went from steps in process to evaluating results'),
    ('task went from evaluating results to enqueuing steps'),
    ('task went from enqueuing steps to steps in process'),
    ('step "second" was claimed by worker one'),
    ('step "second" reported a failure after 1000 ms: the bank is closed'),
    ('step "second" failed for good'),
    ('task went from steps in process to evaluating results'),
    ('task went from evaluating results to blocked by failures'),
    ('step "second" is to be tried again by ann: the bank is back'),
    ('step "second" became ready'),
    ('task went from blocked by failures to evaluating results'),
    ('task went from evaluating results to enqueuing steps'),
    ('task went from enqueuing steps to steps in process'),
    ('step "second" was completed by hand by bob: by phone'),
    ('task went from steps in process to evaluating results'),
    ('task completed')
  $$,
  'it describes every event in the order of time'
);
select results_eq(
  $$
  select h.occurred_at, h.step_no, h.step_name, h.event, h.from_state, h.to_state, h.claim_no, h.worker_name, h.actor, h.reason
    from tasker.get_task_history(tasker_test.the_task()) as h
   where h.event = 'CompleteManually'
  $$,
  $$
  values (
    timestamptz '2040-01-01 14:00:08+00', 2, 'second', 'CompleteManually', 'enqueued', 'complete', 1, null::text, 'bob', 'by phone'
  )
  $$,
  'it returns the columns of an event'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
