begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select throws_ok(
  $$ select tasker.rerun_step('018f0000-0000-7000-8000-000000000001', 'wrong') $$, 'TK404', 'step 018f0000-0000-7000-8000-000000000001 does not exist', 'a step that does not exist'
);
select throws_ok($$ select tasker.rerun_step(null, 'wrong') $$, 'TK404', 'step null does not exist', 'no step');
select throws_ok($$ select tasker.rerun_step(tasker_test.the_step('top'), null) $$, 'TK422', 'the reason is missing', 'no reason');
select throws_ok($$ select tasker.rerun_step(tasker_test.the_step('top'), ' ') $$, 'TK422', 'the reason is missing', 'an empty reason');
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('top'), 'wrong', repeat('x', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'an actor that is too long'
);
select ok(not tasker.rerun_step(tasker_test.the_step('left'), 'wrong'), 'a step that is to run anyway is no error');
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('left'), 'wrong', null, '{}') $$, 'TK409',
  format('step %s is enqueued, and has no result to correct', tasker_test.the_step('left')), 'a result of a step that has none'
);
select tasker.cancel_task(tasker_test.the_task());
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('top'), 'wrong') $$, 'TK409',
  format('task %s is cancelled, and no step of it runs again', tasker_test.the_task()), 'a task that was cancelled'
);
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');
select tasker_test.fail_for_good('left');
select tasker_test.run('right');
select tasker.resolve_task_manually(tasker_test.the_task());
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('top'), 'wrong') $$, 'TK409',
  format('task %s is resolved_manually, and no step of it runs again', tasker_test.the_task()), 'a task that was resolved'
);

-- A direct transition does not open a task, either.
select tasker_test.create_task();
select tasker_test.run('top', 'left', 'right', 'bottom');
select throws_ok(
  $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'complete', 'pending') $$, 'TK409',
  format('task %s cannot go from complete to pending: tasker.rerun_step(step, reason) opens it again, with the step whose result is wrong', tasker_test.the_task()),
  'a direct transition of a task'
);
select throws_ok(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'complete', 'pending') $$, 'TK409',
  format('step %s cannot leave complete: its task is complete', tasker_test.the_step('top')),
  'a direct transition of a step'
);

select * from finish();
rollback;
