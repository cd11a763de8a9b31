begin;
select plan(20);

select tasker_test.freeze();
select tasker_test.create_waiting('order', '[
  {"name": "list"},
  {"name": "charge", "dependencies": ["list"], "for_each": {"step": "list", "path": "$.lines"}, "compensate": "undo-charge"},
  {"name": "ship", "dependencies": ["charge"]}
]');
select tasker_test.claim('list');
select tasker_test.finish('list', '{"lines": ["a", "b"]}');
select tasker_test.expand();
select tasker_test.finish_instances('charge');
select tasker_test.expand();
select tasker_test.run('ship');
select is(
  tasker_test.states(), 'complete: list=complete charge=complete ship=complete charge[0]=complete charge[1]=complete', 'the task is complete'
);

-- An instance alone.
select ok(tasker.rerun_step(tasker_test.the_step('charge[1]'), 'wrong card'), 'an instance runs again');
select is(
  tasker_test.states(), 'steps_in_process: list=complete charge=pending ship=pending charge[0]=complete charge[1]=enqueued',
  'with the map and what depends on it, without the other instances'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.finish_instances('charge');
select tasker_test.expand();
select is(
  tasker_test.states(), 'steps_in_process: list=complete charge=complete ship=enqueued charge[0]=complete charge[1]=complete', 'the map ends again'
);

-- What the map runs over.
select ok(tasker.rerun_step(tasker_test.the_step('list'), 'a line was missing', 'ann', '{"lines": ["a", "b", "c"]}'), 'the source gets another result');
select tasker_test.expand();
select is(
  tasker_test.states(),
  'steps_in_process: list=complete charge=pending ship=pending charge[0]=cancelled charge[1]=cancelled '
    || 'charge[0]=enqueued charge[1]=enqueued charge[2]=enqueued',
  'other instances take the place of the former ones'
);
select results_eq(
  $$ select p.name, p.fate from tasker.preview_rerun(tasker_test.the_step('charge')) as p $$,
  $$ values ('charge', 'again'), ('ship', 'again'), ('charge[0]', 'replaced'), ('charge[1]', 'replaced'), ('charge[2]', 'replaced') $$,
  'preview_rerun knows the instances, and those that were replaced no longer'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.finish_instances('charge');
select tasker_test.expand();
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('ship'), tasker_test.worker(), 60) as c),
  '{"charge": [{"got": "a"}, {"got": "b"}, {"got": "c"}]}', 'the map has the results of the new instances only'
);
select results_eq(
  $$ select a.results, a.replaced_reason from tasker.get_step_audit_history(tasker.step_uuid(tasker_test.the_task(), 4)) as a $$,
  $$ values ('{"got": "a"}'::jsonb, 'its map runs again with step "list": a line was missing') $$,
  'the audit keeps the result of an instance that was replaced'
);

-- The map itself, while its instances run.
select tasker_test.finish('ship');
select ok(tasker.rerun_step(tasker_test.the_step('charge'), 'all of them again'), 'a map runs again');
select tasker_test.expand();
select ok(not tasker.rerun_step(tasker_test.the_step('charge'), 'all of them again'), 'a map that runs returns false');
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('charge'), 'by hand', null, '[]') $$, 'TK409',
  format('step %s is a map, and has no result of its own', tasker_test.the_step('charge')), 'a map has no result of its own'
);
-- Each element was charged twice or more: each run of an instance is undone.
select ok(tasker.cancel_task(tasker_test.the_task()), 'the task is cancelled');
select tasker_test.undo();
select bag_eq(
  $$
  select c.name, c.inputs -> 'result_unknown' as unknown, c.inputs -> 'replaced_result' as replaced
    from tasker.claim_steps('{test}', tasker_test.worker(), 20, 60, '{undo-charge}') as c
  $$,
  $$
  values
    ('undo charge[0]', 'true'::jsonb, '{"got": "a"}'::jsonb),
    ('undo charge[1]', 'true', '{"got": "b"}'),
    ('undo charge[0]', 'true', '{"got": "a"}'),
    ('undo charge[1]', 'true', '{"got": "b"}'),
    ('undo charge[2]', 'true', '{"got": "c"}')
  $$,
  'compensations undo the instances that were replaced, and get the results that they had'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A map that had nothing to run over reads its array again.
select tasker_test.create_waiting('empty', '[
  {"name": "list"}, {"name": "charge", "dependencies": ["list"], "for_each": {"step": "list", "path": "$.lines"}}
]');
select tasker_test.claim('list');
select tasker_test.finish('list', '{"lines": []}');
select tasker_test.expand();
select is(tasker_test.states(), 'complete: list=complete charge=complete', 'a map without elements is complete');
select ok(tasker.rerun_step(tasker_test.the_step('list'), 'a line was missing', 'ann', '{"lines": ["a"]}'), 'the source gets another result');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: list=complete charge=pending charge[0]=enqueued', 'the map has an element');

select * from finish();
rollback;
