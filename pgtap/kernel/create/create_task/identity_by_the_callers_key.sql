begin;
select plan(8);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create temporary table made as select * from tasker.create_task('test', 'keyed', '{"a": 1}', p_identity_key => 'order-7');

select results_eq(
  $$ select c.task_uuid, c.created from tasker.create_task('test', 'keyed', '{"a": 1.0}', p_identity_key => 'order-7') as c $$,
  $$ select m.task_uuid, false from made as m $$, 'the same key finds the same task'
);
select throws_ok(
  $$ select tasker.create_task('test', 'keyed', '{"a": 2}', p_identity_key => 'order-7') $$, 'TK409',
  'identity key "order-7" belongs to a task with another context', 'the same key with another context is refused'
);
select throws_ok(
  $$ select tasker.create_tasks('test', 'keyed', array['{"a": 1}', '{"a": 2}']::jsonb[], p_identity_keys => '{order-9,order-9}') $$, 'TK409',
  'identity key "order-9" belongs to a task with another context', 'the same key with two contexts in one call is refused'
);
select is(
  (select c.created from tasker.create_task('test', 'keyed', '{"a": 1}', p_identity_key => 'order-8') as c), true,
  'another key creates another task'
);
select throws_ok(
  $$ select tasker.create_task('test', 'keyed', '{}') $$, 'TK422', 'task "test/keyed" needs an identity key', 'a null key is refused'
);
select throws_ok(
  $$ select tasker.create_task('test', 'keyed', '{}', p_identity_key => '') $$, 'TK422',
  'the identity key of task "test/keyed" is empty or longer than 1,000 characters', 'an empty key is refused'
);
select throws_ok(
  $$ select tasker.create_task('test', 'keyed', '{}', p_identity_key => repeat('x', 1001)) $$, 'TK422',
  'the identity key of task "test/keyed" is empty or longer than 1,000 characters', 'a key that is too long is refused'
);

select tasker_test.register_diamond();
select throws_ok(
  $$ select tasker.create_task('test', 'diamond', '{}', p_identity_key => 'order-7') $$, 'TK422',
  'task "test/diamond" does not use identity keys', 'a key is refused if the context is the identity'
);

select * from finish();
rollback;
