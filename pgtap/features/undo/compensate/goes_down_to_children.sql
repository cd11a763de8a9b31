begin;
select plan(9);

select tasker_test.freeze();
-- A child that undoes what it has done, and a parent that does, too.
select tasker_test.family(
  '{"compensate": "undo_kid"}',
  '{"on_failure": "fail", "steps": [{"name": "a", "compensate": "undo_a"}, {"name": "b", "dependencies": ["a"], "retry": {"max_attempts": 1}}]}'
);
select tasker.fire_due_timers();
select tasker_test.child();
select tasker_test.run('a');
select tasker_test.claim('b');
select tasker_test.fail_for_good('b');
select is(tasker_test.undo(), 'steps_in_process: a=complete b=error undo a=enqueued', 'a child undoes what it has done');
select tasker_test.run('undo a');
select tasker_test.undo();
select tasker_test.parent();
select is(tasker_test.family_states(), 'blocked_by_failures error: error complete error complete', 'the child then fails the step of its parent');
select ok(tasker.retry_step(tasker_test.the_step('kid')), 'retry_step accepts the parent''s step');
select tasker_test.undo();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the retried step starts another child, because the first one was undone');
select tasker_test.child();
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select tasker_test.parent();
select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task accepts the parent of a child that is complete');
select is(tasker_test.undo(), 'steps_in_process: kid=complete after=cancelled undo kid=enqueued', 'the compensation of the parent''s step runs');
select is(
  (select (s.inputs ->> 'child_task_uuid')::uuid from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('undo kid')),
  (select s.child_task_uuid from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('kid')), 'the compensation''s inputs name the child'
);
select is(tasker_test.family_states(), 'steps_in_process complete: complete complete complete', 'the complete child does not undo itself');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
