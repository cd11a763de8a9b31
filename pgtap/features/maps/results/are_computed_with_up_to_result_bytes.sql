begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.create_conditional(p_size integer) returns void language sql as $$
  select from tasker_test.create_waiting(
    'c' || p_size, '[{"name": "each", "for_each": "$.lines"},
      {"name": "some", "dependencies": [{"step": "each", "when": "exists($[*] ? (@.got > 2))"}]},
      {"name": "none", "dependencies": [{"step": "each", "when": "$[0].got > 2"}]},
      {"name": "twice", "dependencies": ["each"], "for_each": {"step": "each", "path": "$"}}]',
    p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, p_size) as n))
  );
$$;
select pg_temp.create_conditional(3);
select tasker_test.expand();
select tasker_test.finish_instances('each');
select tasker_test.expand();
select tasker_test.expand();
select is(
  (select string_agg(s.name || '=' || s.state, ' ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.map_no is null),
  'each=complete some=enqueued none=cancelled twice=pending', 'conditions can use the array of results'
);
select is(
  (select string_agg(s.inputs::text, ' ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name like 'twice[%'),
  '{"index": 0, "element": {"got": 1}} {"index": 1, "element": {"got": 2}} {"index": 2, "element": {"got": 3}}', 'another map can run over the array of results'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');

select tasker.set_setting('result_bytes', '1024');
select pg_temp.create_conditional(200);
select tasker_test.expand();
select tasker_test.finish_instances('each');
select tasker_test.expand();
select is(
  (select s.state || ': ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'each'),
  'error: a condition, a map or a task reads its results, and they are larger than 1024 bytes, the setting "result_bytes"', 'a map fails if its results are larger than result_bytes'
);
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 'blocked_by_failures', 'the claim succeeds although the map fails');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.set_setting('result_bytes', '1048576');
select tasker.retry_step(tasker_test.the_step('each'));
select tasker_test.expand();
select is(
  (select string_agg(s.name || '=' || s.state, ' ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.map_no is null),
  'each=complete some=enqueued none=cancelled twice=pending', 'the map completes when it is retried with a larger setting'
);

select * from finish();
rollback;
