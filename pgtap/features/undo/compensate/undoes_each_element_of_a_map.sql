begin;
select plan(14);

select tasker_test.freeze();
select tasker_test.create_waiting('lines', '[{"name": "first", "compensate": "undo_first"},
  {"name": "line", "for_each": "$.lines", "compensate": "undo_line", "dependencies": ["first"]}, {"name": "after", "dependencies": ["line"]}]',
  '{}', '{"lines": [1, 2, 3]}');
select tasker_test.run('first');
select tasker_test.expand();
select tasker_test.finish_instances('line', 2);
select tasker.cancel_task(tasker_test.the_task());
select is(
  tasker_test.undo(),
  'steps_in_process: first=complete line=cancelled after=cancelled line[0]=complete line[1]=complete line[2]=cancelled undo line[0]=enqueued undo line[1]=enqueued',
  'complete elements are undone'
);
select is((select c.inputs - 'step_uuid' from tasker.claim_step(tasker_test.the_step('undo line[1]'), tasker_test.worker()) as c),
  '{"step": "line[1]", "initialization": {"index": 1, "element": 2}, "result": {"got": 2}}'::jsonb, 'each compensation gets its element and its result');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.run('undo line[0]');
select tasker_test.finish('undo line[1]');
select matches(tasker_test.undo(), 'undo first=enqueued$', 'the step that the map depends on is undone next');
select tasker_test.run('undo first');
select matches(tasker_test.undo(), '^cancelled', 'the task then ends');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- More than one transaction undoes.
select tasker_test.create_waiting('many', '[{"name": "line", "for_each": "$.lines", "compensate": "undo_line"}]',
  '{}', jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 1100) as n)));
select tasker_test.expand();
select tasker_test.expand();
select tasker_test.finish_instances('line', 1000);
select tasker_test.finish_instances('line', 99);
select tasker.cancel_task(tasker_test.the_task());
select tasker.fire_due_timers(1000);
select is((select count(*)::integer from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.undo_no is not null), 1000, 'a transaction starts at most a thousand compensations');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.fire_due_timers(1000);
select is((select count(*)::integer from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.undo_no is not null), 1099, 'the next transaction starts the rest');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A3.11: a compensation counts.
select tasker_test.create_waiting('too_many', '[{"name": "line", "for_each": "$.lines", "compensate": "undo_line"}]',
  '{}', jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 40000) as n)));
select tasker_test.expand();
select is(
  (select s.last_error from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('line')),
  'for_each: 40000 elements, the 1 steps of the task and 40000 compensations are more than the 65535 steps that a task may have: a step with a compensation counts twice',
  'a map of 40,000 elements is refused with a reason'
);
select throws_ok(
  $$ select from tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'wide', 'steps', (
    select jsonb_agg(jsonb_build_object('name', 's' || n, 'compensate', 'u')) from generate_series(1, 33000) as n
  ))) $$, 'TK422', 'steps: 33000 steps, of which 33000 have a compensation, are more than the 65535 steps that a task may have', 'a template of 33,000 steps, each with a compensation, is refused'
);
select throws_like(
  $$ select from tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "await": {"for": "1h"}, "compensate": "u"}]}') $$,
  '%compensate%', 'a step that waits cannot have a compensation'
);
select throws_ok(
  $$ select from tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "compensate": "a b"}]}') $$,
  'TK422', 'steps[0].compensate: cannot be "a b"', 'a compensation needs the name of a handler'
);

select * from finish();
rollback;
