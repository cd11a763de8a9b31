begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting(
  'order', '[{"name": "charge", "for_each": "$.lines"}, {"name": "greet"}, {"name": "ship", "dependencies": ["charge"]}]',
  p_context => '{"lines": [1, 2]}'
);
select is(tasker_test.states(), 'steps_in_process: charge=pending greet=enqueued ship=pending', 'a map without dependencies is noted at creation');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.expand();
select is(
  tasker_test.states(), 'steps_in_process: charge=pending greet=enqueued ship=pending charge[0]=enqueued charge[1]=enqueued',
  'the map expands'
);

select tasker_test.create_waiting('alone', '[{"name": "charge", "for_each": "$.lines"}]', p_context => '{"lines": [1]}');
select is(tasker_test.states(), 'waiting_for_dependencies: charge=pending', 'a map that is the only step expands, too');
select tasker_test.expand();
select tasker_test.finish_instances('charge');
select tasker_test.expand();
select is(tasker_test.states(), 'complete: charge=complete charge[0]=complete', 'the map completes the task');

select tasker_test.create_waiting('empty', '[{"name": "charge", "for_each": "$.lines"}, {"name": "ship", "dependencies": ["charge"]}]', p_context => '{"lines": []}');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: charge=complete ship=enqueued', 'an empty array completes the map at once');
select is(
  (select c.parent_results from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{ship}') as c), '{"charge": []}', 'the child gets an empty array'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
