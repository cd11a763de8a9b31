begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting(
  'order', '[{"name": "rate"}, {"name": "each", "for_each": "$.lines", "allow_failures": 1}, {"name": "none", "for_each": "$.none"},
             {"name": "after", "dependencies": ["each", "none", "rate"]}]',
  p_context => '{"none": [], "lines": [0, 1, 2, 3]}'
);
select tasker_test.run('rate');
select tasker_test.expand();
select tasker_test.finish_instances('each', 4, '{1}');
select tasker_test.expand();
select set_eq(
  $$ select r.key, r.value from tasker.workflow_steps as s, tasker.describe_claim(
       tasker.step_move(s.task_uuid, s.step_no, s.state, s.state), (select c from tasker.settings_now as c)
     ) as d, jsonb_each(d.parent_results) as r where s.task_uuid = tasker_test.the_task() and s.name = 'after' $$,
  $$ values ('rate', '{}'::jsonb), ('none', '[]'), ('each', '[{"got": 0}, null, {"got": 2}, {"got": 3}]') $$,
  'a claim has the array if it fits'
);
select results_eq(
  $$ select r.name, r.results from tasker.get_parent_results(tasker_test.the_step('after')) as r $$,
  $$ values ('rate', '{}'::jsonb), ('none', '[]'), ('each[0]', '{"got": 0}'), ('each[1]', null), ('each[2]', '{"got": 2}'), ('each[3]', '{"got": 3}') $$,
  'pages have a row for each element, in order'
);
select results_eq(
  $$ select r.name from tasker.get_parent_results(tasker_test.the_step('after'), 0, 3) as r $$,
  array['rate', 'none', 'each[0]'], 'the first page has as many rows as its limit'
);
select results_eq(
  $$ select r.name from tasker.get_parent_results(tasker_test.the_step('after'), tasker.step_no_of(tasker_test.the_step('each[0]')), 2) as r $$,
  array['each[1]', 'each[2]'], 'the next page begins after the last row'
);
select is((select r.results from tasker.get_ancestor_result(tasker_test.the_step('after'), 'each') as r), '[{"got": 0}, null, {"got": 2}, {"got": 3}]', 'a later step finds the array by the map''s name');

select set_config('lock_timeout', '0', true);
select tasker.set_setting('claim_bytes', '65536');
select tasker_test.create_waiting(
  'large', '[{"name": "each", "for_each": "$"}, {"name": "after", "dependencies": ["each"]}]', p_context => '{}'
) is not null as made;
select tasker_test.create_waiting(
  'larger', '[{"name": "each", "for_each": "$.lines"}, {"name": "after", "dependencies": ["each"]}]',
  p_context => jsonb_build_object('lines', (select jsonb_agg(repeat('x', 1000)) from generate_series(1, 60)))
) is not null as made;
select tasker_test.expand();
select tasker_test.finish_instances('each');
select tasker_test.expand();
select is(
  (select c.parent_results is null from tasker.claim_steps('{test}', tasker_test.worker(), 10, 60, '{after}') as c where c.task_uuid = tasker_test.the_task()),
  true, 'a claim has null if the results exceed claim_bytes'
);
select is(
  (select count(*) || ' ' || min(length(r.results ->> 'got')) from tasker.get_parent_results(tasker_test.the_step('after'), 0, 1000) as r),
  '60 1000', 'the pages have all results'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
