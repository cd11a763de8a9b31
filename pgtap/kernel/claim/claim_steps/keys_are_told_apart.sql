begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker_test.limited('region', '$inputs.region', 'ship');
select tasker.register_task_template('{"namespace": "test", "name": "ship2", "identity_strategy": "always_unique", "steps": [
  {"name": "x", "handler": "ship", "limit": "region", "limit_key": "$inputs.region", "initialization": {"region": "eu"}},
  {"name": "y", "handler": "ship", "limit": "region", "limit_key": "$inputs.region", "initialization": {"region": "us"}}
]}');
select throws_ok($$ select tasker.create_task('test', 'pay', '[]') $$, 'TK422', 'context of task "test/pay" is not a JSON object', 'a context that is not an object is refused');
select from tasker.create_tasks('test', 'pay', array[
  '{}', '{"key": null}', '{"key": 5}', '{"key": "5"}', '{"key": {"a": [1]}}', '{"key": true}',
  jsonb_build_object('key', repeat('x', 10000)), jsonb_build_object('key', repeat('x', 10000) || 'y')
]::jsonb[]);
select results_eq(
  $$ select u.key, u.waiting from tasker_test.in_use as u where u.name = 'tenant' and length(u.key) < 100 order by u.key collate "C" $$,
  $$ values ('', 2::bigint), ('5', 2), ('true', 1), ('{"a": [1]}', 1) $$, 'a missing value is the empty key, and a number is its text'
);
select is((select count(*) from tasker_test.in_use as u where length(u.key) = 165), 2::bigint, 'long keys are cut and stay distinct');
select tasker.create_task('test', 'ship2');
select results_eq(
  $$ select u.key, u.waiting from tasker_test.in_use as u where u.name = 'region' order by u.key $$,
  $$ values ('eu', 1::bigint), ('us', 1) $$, 'a key can come from the inputs'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "limit_key": "$.a"}]}') $$,
  'TK422', 'steps[0].limit_key: has no meaning without a limit', 'a key without a limit is refused'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "limit": "b", "limit_key": "$["}]}') $$,
  'TK422', 'steps[0].limit_key: "$[" is not a path of the context or the inputs', 'a malformed path is refused'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "limit": "b", "limit_key": "$x.y"}]}') $$,
  'TK422', 'steps[0].limit_key: "$x.y" is not a path of the context or the inputs', 'an unknown variable is refused'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "bad", "steps": [{"name": "a", "await": {"for": "1s"}, "limit": "b"}]}') $$,
  'TK422', 'steps[0].limit: has no meaning for a step that waits', 'a step without a handler is refused'
);

select * from finish();
rollback;
