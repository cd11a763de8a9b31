begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
-- So large that the results of nine parents are gathered one after the other.
select tasker.set_setting('result_bytes', '16777216');
select tasker_test.create_waiting(
  'wide',
  (select jsonb_agg(jsonb_build_object('name', 's' || n)) from generate_series(1, 8) as n)
  || '[{"name": "list"}]'
  || jsonb_build_object('name', 'each', 'for_each', '{"step": "list"}'::jsonb, 'dependencies', '["list"]'::jsonb || (select jsonb_agg('s' || n) from generate_series(1, 8) as n))
  || jsonb_build_object('name', 'after', 'dependencies', '["each"]'::jsonb || (select jsonb_agg('s' || n) from generate_series(1, 8) as n))
);
select tasker_test.run('s' || n) from generate_series(1, 8) as n;
select tasker_test.claim('list');
select tasker_test.finish('list', '[7, 8, 9]');
select tasker_test.expand();
select is(tasker.gathered_at_once(c), 8, 'the results of eight parents are read at once') from tasker.settings_now as c;
select set_eq(
  $$ select r.key from tasker.claim_step(tasker_test.the_step('each[1]'), tasker_test.worker()) as c, jsonb_object_keys(c.parent_results) as r (key) $$,
  $$ select 's' || n from generate_series(1, 8) as n $$, 'an element gets the results of its parents without the array'
);
select is(tasker_test.finish('each[1]', '{"got": 8}'), 'completed', 'the element completes');
select tasker_test.finish_instances('each');
select tasker_test.expand();
select is(
  (select c.parent_results -> 'each' from tasker.claim_step(tasker_test.the_step('after'), tasker_test.worker()) as c),
  '[{"got": 7}, {"got": 8}, {"got": 9}]', 'a step of many parents gets the array of a map among them'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
