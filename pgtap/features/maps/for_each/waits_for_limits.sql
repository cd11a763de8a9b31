begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting(
  'order', '[{"name": "each", "for_each": "$.lines", "limit": "bank", "limit_key": "$inputs.element"}]', p_context => '{"lines": ["a", "a", "b"]}'
);
select tasker.set_limit('test', 'bank', 1);
select tasker_test.expand();
select is(
  (select string_agg(q.lane || ' ' || q.limit_key, ', ' order by q.step_no) from tasker.step_queue as q where q.task_uuid = tasker_test.the_task()),
  'limited a, limited a, limited b', 'each instance waits for the limit of its own element'
);
select results_eq(
  $$ select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 10, 60) as c order by c.step_no $$,
  array['each[0]', 'each[2]'], 'one instance of each key runs'
);
select tasker_test.finish('each[0]'), tasker_test.finish('each[2]');
select results_eq($$ select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 10, 60) as c $$, array['each[1]'], 'the next instance of the key runs after the first has ended');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
