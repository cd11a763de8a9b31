begin;
select plan(21);

-- A3.10: A and B are done, C is in progress, D is claimed by a worker that is lost, and F fails.
select tasker_test.freeze();
select tasker_test.create_undoable('order', '{A!,"B! A","C! B","D! A",E!,"F B","G! F"}');
select tasker_test.claim('A');
select tasker_test.finish('A', '{"a": 1}');
select tasker_test.claim('B');
select tasker_test.finish('B', '{"b": 2}');
select tasker_test.claim('C', 'D', 'F');
select tasker_test.fail_for_good('F');
select is(
  tasker_test.states(), 'steps_in_process: A=complete B=complete C=in_progress D=in_progress E=enqueued F=error G=pending', 'no compensation exists before the cancellation'
);
select ok(tasker.cancel_task(tasker_test.the_task(), 'out of stock', 'ann'), 'cancel_task accepts the task');
select is(
  tasker_test.states(), 'steps_in_process: A=complete B=complete C=in_progress D=in_progress E=cancelled F=error G=cancelled',
  'steps that have not started are cancelled, and steps in progress end first'
);
select ok(not tasker.cancel_task(tasker_test.the_task()), 'a second call changes nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.undo();
select tasker_test.finish('C', '{"c": 3}');
select is(
  tasker_test.undo(), 'steps_in_process: A=complete B=complete C=complete D=in_progress E=cancelled F=error G=cancelled', 'C completes before anything is undone'
);
select tasker_test.pass('1 hour');
select from tasker.claim_steps('{test}', tasker_test.worker(), 1);
select is(
  tasker_test.undo(),
  'steps_in_process: A=complete B=complete C=complete D=error E=cancelled F=error G=cancelled undo C=enqueued',
  'the lowest level of the graph is undone after the worker of D was lost'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select results_eq(
  $$ select c.handler || ' ' || c.name, c.inputs - 'step_uuid' from tasker.claim_step(tasker_test.the_step('undo C'), tasker_test.worker()) as c $$,
  $$ values ('undo_C undo C', '{"step": "C", "initialization": {}, "result": {"c": 3}}'::jsonb) $$,
  'the compensation is claimed under its own handler and gets the result that it undoes'
);
select tasker_test.finish('undo C');
select is(
  tasker_test.undo(),
  'steps_in_process: A=complete B=complete C=complete D=error E=cancelled F=error G=cancelled undo C=complete undo B=enqueued undo D=enqueued',
  'the next level is undone'
);
select results_eq(
  $$ select s.inputs - 'step_uuid' from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'undo D' $$,
  array['{"step": "D", "initialization": {}, "result_unknown": true}'::jsonb], 'the result of D is unknown to its compensation'
);
select tasker_test.run('undo D');
select is(
  tasker_test.undo(),
  'steps_in_process: A=complete B=complete C=complete D=error E=cancelled F=error G=cancelled undo C=complete undo B=enqueued undo D=complete',
  'the last level waits until all compensations before it are complete'
);
select tasker_test.run('undo B');
select tasker_test.undo();
select tasker_test.run('undo A');
select is(
  tasker_test.undo(),
  'cancelled: A=complete B=complete C=complete D=error E=cancelled F=error G=cancelled undo C=complete undo B=complete undo D=complete undo A=complete',
  'the task is cancelled after its last compensation'
);
select is(tasker_test.last_entry(), 'Cancel by ann for out of stock', 'the task''s log has the reason of the cancellation');
select is(tasker_test.last_entry('E'), 'Cancel by ann for the task is undone: out of stock', 'the steps'' logs have the reason of the cancellation');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');
select throws_like($$ select tasker.retry_step(tasker_test.the_step('undo A')) $$, 'step % is complete, its task cancelled: event Retry does not apply', 'retry_step refuses a compensation of an ended task');
select is_empty('select from tasker.timers', 'no timer is left');
select is_empty('select from tasker.step_queue', 'the queue is empty');
select is(
  (select t.undo ->> 'phase' from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 'done', 'the task is marked as undone'
);

select * from finish();
rollback;
