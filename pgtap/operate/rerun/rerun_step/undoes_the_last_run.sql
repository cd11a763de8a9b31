begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.create_undoable('order', '{"charge!","ship! charge","mail ship"}');
select tasker_test.claim('charge');
select tasker_test.finish('charge', '{"paid": 10}');
select tasker_test.claim('ship');
select tasker_test.finish('ship', '{"box": 1}');
select tasker_test.run('mail');
select ok(tasker.rerun_step(tasker_test.the_step('charge'), 'the price was wrong'), 'rerun_step returns true');
select is(
  tasker_test.states(), 'steps_in_process: charge=enqueued ship=pending mail=pending', 'nothing is undone before it runs again'
);
select results_eq(
  $$ select p.name, p.has_compensation from tasker.preview_rerun(tasker_test.the_step('charge')) as p $$,
  $$ values ('charge', true), ('ship', true), ('mail', false) $$,
  'preview_rerun says which effects there are'
);
select tasker_test.claim('charge');
select tasker_test.finish('charge', '{"paid": 11}');
-- Cancelled before "ship" has run again: its former effect is undone, by the result that it had.
select ok(tasker.cancel_task(tasker_test.the_task(), 'enough'), 'the task is cancelled');
select is(
  tasker_test.undo(),
  'steps_in_process: charge=complete ship=cancelled mail=cancelled undo ship=enqueued', 'what had an effect is undone'
);
select is(
  (select c.inputs from tasker.claim_step(tasker_test.the_step('undo ship'), tasker_test.worker(), 60) as c) - 'step_uuid',
  '{"step": "ship", "initialization": {}, "result_unknown": true, "replaced_result": {"box": 1}}',
  'the compensation gets the result of the run before'
);
select tasker_test.finish('undo ship');
select tasker_test.undo();
select is(
  (select c.inputs from tasker.claim_step(tasker_test.the_step('undo charge'), tasker_test.worker(), 60) as c) - 'step_uuid',
  '{"step": "charge", "initialization": {}, "result": {"paid": 11}}',
  'a step that ran twice is undone once, with the last result'
);
select tasker_test.finish('undo charge');
select tasker_test.undo();
select is(
  tasker_test.states(), 'cancelled: charge=complete ship=cancelled mail=cancelled undo ship=complete undo charge=complete', 'the task is cancelled'
);
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('charge'), 'wrong') $$, 'TK409',
  format('task %s has been undone, and no step of it runs again', tasker_test.the_task()), 'no step of a task that was undone runs again'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
