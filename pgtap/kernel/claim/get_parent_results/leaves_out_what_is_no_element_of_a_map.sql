begin;
select plan(3);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting(
  'late', '[{"name": "check"}, {"name": "each", "for_each": "$.lines"}, {"name": "after", "dependencies": ["each"]}]',
  p_context => '{"lines": [1, 2]}'
);
-- A map has its instances as parents by edges that were added, and other steps as well.
select is(tasker.add_step_edge(tasker_test.the_step('check'), tasker_test.the_step('each')), true, 'a step becomes a parent of a map');
select tasker_test.run('check');
select tasker.advance_task(tasker_test.the_task());
select tasker_test.expand();
select tasker_test.finish_instances('each');
select tasker_test.expand();
select results_eq(
  $$ select r.name, r.results, r.map from tasker.get_parent_results(tasker_test.the_step('after')) as r $$,
  $$ values ('each[0]', '{"got": 1}'::jsonb, 'each'), ('each[1]', '{"got": 2}', 'each') $$,
  'pages have a row for each element and none for the map''s other parents'
);
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('after'), tasker_test.worker()) as c),
  '{"each": [{"got": 1}, {"got": 2}]}', 'neither has a claim'
);

select * from finish();
rollback;
