-- What an operator may do with a step is possible with one that waits, and leaves nothing of the wait behind.
begin;
select plan(20);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.begin() returns uuid language sql as $$
  select tasker_test.create_waiting('order', '[
    {"name": "approve", "await": [{"signal": "approved"}, {"signal": "rejected"}], "timeout": "1h"},
    {"name": "ship", "dependencies": ["approve"]}
  ]');
$$;
create function pg_temp.left_behind() returns text language sql as $$
  select format('%s waits, %s timers%s', (select count(*) from tasker.waits), (select count(*) from tasker.timers),
                (select string_agg('; ' || v, '') from tasker_test.violations() as v));
$$;

select pg_temp.begin();
select ok(tasker.cancel_task(tasker_test.the_task(), 'no longer needed'), 'cancel_task accepts a task with a step that waits');
select is(tasker_test.states(), 'cancelled: approve=cancelled ship=cancelled', 'the step is cancelled');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'the wait and its timer are deleted');

select pg_temp.begin();
select ok(tasker.complete_step_manually(tasker_test.the_step('approve'), '{"by": "hand"}', 'on the phone'), 'complete_step_manually accepts a step that waits');
select is(tasker_test.states(), 'steps_in_process: approve=complete ship=enqueued', 'the step is complete and its child is enqueued');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'no wait is left');
select is(tasker_test.signal('approved'), 'kept', 'a signal that comes later is kept');

select pg_temp.begin();
select ok(tasker.resolve_step_manually(tasker_test.the_step('approve')), 'resolve_step_manually accepts a step that waits');
select is(tasker_test.states(), 'steps_in_process: approve=resolved_manually ship=enqueued', 'the step is resolved and its child is enqueued');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'no wait is left');

select pg_temp.begin();
select is(tasker.retry_step(tasker_test.the_step('approve')), false, 'retry_step changes nothing while the step waits');
select is(tasker.reset_task(tasker_test.the_task()), false, 'reset_task changes nothing while no step has failed');
select is(pg_temp.left_behind(), '2 waits, 1 timers', 'the wait and its timer are still there');
select throws_ok(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('approve'), 'suspended', 'enqueued') $$, 'TK409',
  format('step %s cannot leave suspended by Resume: it has no handler', tasker_test.the_step('approve')), 'transition_step_state_atomic refuses to put the step into the queue'
);

select tasker.cancel_task(tasker_test.the_task());
insert into tasker.timers (task_uuid, kind, due_at) select pg_temp.begin(), 'task_deadline', tasker.clock();
select is(tasker.fire_due_timers(), 1, 'the task''s deadline fires');
select is(tasker_test.states(), 'error: approve=error ship=pending', 'the deadline fails the step');
select is(pg_temp.left_behind(), '0 waits, 0 timers', 'the deadline deletes the wait');
select is(tasker_test.signal('approved'), 'ended', 'a failed task takes no signal');
select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task accepts the failed task');
select is(tasker_test.states() || ', ' || pg_temp.left_behind(), 'waiting_for_dependencies: approve=suspended ship=pending, 2 waits, 1 timers', 'the step waits again after the reset');

select * from finish();
rollback;
