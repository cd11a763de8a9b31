begin;
select plan(16);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.family('{"retry": {"max_attempts": 2, "base_seconds": 10}}', '{"on_failure": "fail"}', '{"on_failure": "fail"}');
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: no child ', 'the step waits at once');
select is(tasker.fire_due_timers(), 1, 'the note to start the child is due');
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the note starts the child');

select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a', true, 'no stock');
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: error error pending', 'the child fails');
select is(tasker.fire_due_timers(), 1, 'the note of the child''s end is due');
select is(tasker_test.family_states(), 'waiting_for_retry waiting_for_retry: error error pending', 'the step waits for another attempt');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the next attempt resets the child');

select tasker_test.claim('a');
select tasker_test.fail_for_good('a', true, 'no stock');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'error error: error error pending', 'the step fails for good after its last attempt, and so does the parent');
select matches(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.parent() and s.name = 'kid'),
  '^task [0-9a-f-]{36} failed: step "a": no stock$', 'the error of the step names the failed step of the child'
);

-- A reset of the parent resets the child, which goes on where it failed.
select ok(tasker.reset_task(tasker_test.parent()), 'reset_task accepts the parent');
select tasker.fire_due_timers();
select tasker_test.child();
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select tasker_test.parent();
select tasker_test.run('after');
select is(tasker_test.family_states(), 'complete complete: complete complete complete', 'parent and child complete');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');
select is_empty($$ select p.problem from tasker.check_integrity() as p where p.task_uuid is not null $$, 'the check of integrity finds nothing');

-- A child that outlives its step is resolved by hand before the step is tried again.
select tasker_test.family('{"timeout": "1h", "task": {"name": "child", "version": "2", "abandon": true}}', '{"version": "2"}', '{"version": "2"}');
select tasker.fire_due_timers();
select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a');
select tasker_test.pass('2 hours');
select tasker.fire_due_timers();
select tasker_test.child();
select tasker.resolve_task_manually(tasker_test.the_task(), 'by phone');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'blocked_by_failures error: resolved_manually error cancelled', 'a child that was resolved by hand leaves the step failed that had given it up');
select tasker_test.parent();
select tasker.retry_step(tasker_test.the_step('kid'));
select tasker.fire_due_timers();
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'steps_in_process complete: resolved_manually error cancelled', 'the next attempt takes the resolved child''s end');

select * from finish();
rollback;
