begin;
select plan(5);

select tasker_test.parcels(
  '{"task": {"name": "parcel", "context": {"n": "$inputs.element.n", "at": {"path": "$inputs.index"}, "order": "$.no", "text": {"value": "$inputs.index"}, "none": "$inputs.element.m"}}}',
  p_context => '{"no": 17, "lines": [{"n": 5}, {"n": 6}]}'
);
select results_eq(
  $$ select c.context from tasker.tasks as c where c.depth = 1 order by c.context -> 'at' $$,
  $$ values ('{"n": 5, "at": 0, "order": 17, "text": "$inputs.index"}'::jsonb), ('{"n": 6, "at": 1, "order": 17, "text": "$inputs.index"}') $$,
  'fields come from the element, its index and the context of the order'
);

select tasker_test.create_waiting(
  'listed', '[{"name": "list"}, {"name": "each", "dependencies": ["list"], "for_each": {"step": "list", "path": "$.lines"},
    "task": {"name": "parcel", "context": {"n": "$inputs.element", "box": {"step": "list", "path": "$.box"}}}},
    {"name": "bill", "dependencies": ["each"]}]'
);
select tasker_test.claim('list');
select tasker_test.finish('list', '{"lines": [8, 9], "box": "big"}');
select tasker_test.settle();
select results_eq(
  $$ select c.context from tasker.workflow_steps as s join tasker.tasks as c on c.task_uuid = s.child_task_uuid where s.task_uuid = tasker_test.the_task() order by s.step_no $$,
  $$ values ('{"n": 8, "box": "big"}'::jsonb), ('{"n": 9, "box": "big"}') $$,
  'a map over a result hands on parts of that result, too'
);
select tasker_test.pack();
select is(tasker_test.parcel_states(), 'steps_in_process: list=complete each=complete bill=enqueued each[0]=complete/complete each[1]=complete/complete', 'it completes');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds');

select tasker_test.parcels(p_context => '{"lines": [{"n": 1}, 2]}');
select is(
  (select s.state || ': ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'parcels[1]'),
  'error: the context for task "parcel" is number, not an object', 'an element that is no object fails alone, with the reason'
);

select * from finish();
rollback;
