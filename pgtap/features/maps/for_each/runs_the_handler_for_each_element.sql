begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "list"},
  {"name": "rates"},
  {"name": "charge", "handler": "charge-line", "dependencies": ["list", "rates"], "for_each": {"step": "list", "path": "$.lines"},
   "initialization": {"currency": "EUR"}, "priority": 3},
  {"name": "ship", "dependencies": ["charge"]}
]');
select tasker_test.run('rates');
select tasker_test.claim('list');
select tasker_test.finish('list', '{"lines": ["a", {"sku": 7}, null]}');
select is(tasker_test.states(), 'waiting_for_dependencies: list=complete rates=complete charge=pending ship=pending', 'a ready map stays pending');
select is(
  (select m.kind::text || ' ' || m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task()),
  'expand_map 2026-11-22 12:00:00+00', 'a note is due at once'
);
select is_empty('select tasker_test.violations()', 'every invariant holds before');
select tasker_test.expand();
select is(
  tasker_test.states(),
  'steps_in_process: list=complete rates=complete charge=pending ship=pending charge[0]=enqueued charge[1]=enqueued charge[2]=enqueued',
  'the map creates an instance of each element'
);
select is_empty('select tasker_test.violations()', 'every invariant holds while they run');

select results_eq(
  $$
  select c.name, c.handler, c.inputs, c.priority, c.parent_results
    from tasker.claim_steps('{test}', tasker_test.worker(), 2, 60, '{charge-line}') as c
  $$,
  $$ values
    ('charge[0]', 'charge-line', '{"currency": "EUR", "element": "a", "index": 0}'::jsonb, 3, '{"rates": {}}'::jsonb),
    ('charge[1]', 'charge-line', '{"currency": "EUR", "element": {"sku": 7}, "index": 1}', 3, '{"rates": {}}')
  $$,
  'an instance has the initialization, its element and index, and the results of the other parents, not the array'
);
select is(
  (select c.parent_results from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{charge-line}') as c),
  '{"rates": {}}', 'an instance that is claimed alone gets the same results'
);
select is(
  (select string_agg(a.answer::text, ' ') from tasker.complete_steps(
    array[tasker_test.the_step('charge[2]'), tasker_test.the_step('charge[0]')],
    array[tasker_test.claim_no('charge[2]'), tasker_test.claim_no('charge[0]')], '{"{\"n\": 2}", "{\"n\": 0}"}'
  ) as a), 'completed completed', 'instances end in any order'
);
select tasker_test.finish('charge[1]', '{"n": 1}');
select tasker_test.expand();
select is(
  tasker_test.states(),
  'steps_in_process: list=complete rates=complete charge=complete ship=enqueued charge[0]=complete charge[1]=complete charge[2]=complete',
  'the map completes with its last instance, without a handler'
);
select is(
  (select c.parent_results from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{ship}') as c),
  '{"charge": [{"n": 0}, {"n": 1}, {"n": 2}]}', 'a child gets the results in the order of the elements'
);
select is((select s.results is null from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'charge'), true, 'the array of results is not stored');
select tasker_test.finish('ship');
select is((tasker_test.states())::text like 'complete: %', true, 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds after');
select is_empty(
  $$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing'
);

select * from finish();
rollback;
