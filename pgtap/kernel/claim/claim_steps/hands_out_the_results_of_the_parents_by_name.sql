begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "mixed", "steps": [
  {"name": "done"}, {"name": "empty"}, {"name": "resolved"}, {"name": "skipped", "dependencies": [{"step": "done", "when": "$.n == 2"}]},
  {"name": "last", "join": "settled", "dependencies": ["done", "empty", "resolved", "skipped"]}
]}');
select tasker_test.launch('mixed');
select is((select count(*) from tasker_test.claim()), 3::bigint, 'three steps start');
select tasker_test.complete('done', '{"n": 1, "deep": {"list": [1, null]}}');
select tasker_test.complete('empty', null);
select tasker.resolve_step_manually(tasker_test.the_step('resolved'), 'me', 'seen to');
select results_eq(
  $$ select c.name, c.parent_results from tasker_test.claim() as c $$,
  $$ values ('last', '{"done": {"n": 1, "deep": {"list": [1, null]}}, "empty": null, "resolved": null}'::jsonb) $$,
  'results of complete parents are handed out by name, null for those without one, and skipped parents are left out'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
