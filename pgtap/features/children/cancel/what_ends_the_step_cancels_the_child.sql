begin;
select plan(22);

select tasker_test.freeze('2026-11-22 12:00:00+00');
-- Each way in which a step stops waiting before its task has ended.
select tasker_test.family('{"timeout": "1h"}');
select tasker.fire_due_timers();
select ok(tasker.cancel_task(tasker_test.parent(), 'changed my mind'), 'cancel_task accepts the parent');
select is(tasker_test.family_states(), 'cancelled cancelled: steps_in_process enqueued pending', 'the parent does not wait for its child');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'cancelled cancelled: cancelled cancelled cancelled', 'the next claim cancels the child');
select tasker.fire_due_timers();
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');
select is(
  (select l.reason || ' ' || l.actor from tasker.task_transition_log as l where l.task_uuid = tasker_test.child() and l.event = 'Cancel'),
  'the step that waited for it has ended task ' || current_setting('tasker_test.parent'), 'the child''s log names the cause'
);

create function pg_temp.again() returns void language sql as $$
  select set_config('tasker_test.parent', (select c.task_uuid::text from tasker.create_task('test', 'parent', '{}') as c), true);
  select tasker.fire_due_timers();
$$;
create function pg_temp.rest() returns text language plpgsql as $$
begin
  perform tasker.fire_due_timers(), tasker.fire_due_timers();
  return tasker_test.family_states();
end;
$$;

select pg_temp.again();
select ok(tasker.complete_step_manually(tasker.step_uuid(tasker_test.parent(), 1), '{}'), 'complete_step_manually accepts the step');
select is(pg_temp.rest(), 'steps_in_process complete: cancelled cancelled cancelled', 'the parent continues, and its child is cancelled');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

select pg_temp.again();
select ok(tasker.resolve_step_manually(tasker.step_uuid(tasker_test.parent(), 1)), 'resolve_step_manually accepts the step');
select is(pg_temp.rest(), 'steps_in_process resolved_manually: cancelled cancelled cancelled', 'the parent continues, and its child is cancelled');

select pg_temp.again();
select tasker_test.pass('61 minutes');
select is(pg_temp.rest(), 'blocked_by_failures error: cancelled cancelled cancelled', 'a time-out of the step cancels the child');
select ok(tasker.retry_step(tasker.step_uuid(tasker_test.parent(), 1)), 'retry_step accepts the step');
select is(pg_temp.rest(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the retried step starts another child');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

-- The parent's deadline is the child's, too.
select set_config('tasker_test.parent', (
  select c.task_uuid::text from tasker.create_task('test', 'parent', '{}', p_deadline => tasker.clock() + interval '10 minutes') as c
), true);
select tasker.fire_due_timers();
select is((select t.deadline from tasker.tasks as t where t.task_uuid = tasker_test.child()), tasker.clock() + interval '10 minutes', 'a child inherits its parent''s deadline');
select tasker_test.pass('11 minutes');
select is(pg_temp.rest(), 'error error: error error pending', 'the deadline ends parent and child');
select ok(tasker.reset_task(tasker_test.parent()), 'reset_task accepts the parent');
select is(pg_temp.rest(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'a reset of the parent resets the child');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

-- A child that is cancelled by itself fails the step for good.
select ok(tasker.cancel_task(tasker_test.child()), 'cancel_task accepts the child');
select is(pg_temp.rest(), 'blocked_by_failures error: cancelled cancelled cancelled', 'a cancelled child fails its parent''s step');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

select * from finish();
rollback;
