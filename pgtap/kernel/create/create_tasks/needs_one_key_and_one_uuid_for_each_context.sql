begin;
select plan(3);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": []}');
select throws_ok(
  $$ select tasker.create_tasks('test', 'keyed', array['{}', '{}']::jsonb[], p_identity_keys => '{a}') $$,
  'TK422', 'contexts, keys and UUIDs for tasks of template "test/keyed" do not match', 'a missing key is refused'
);
select throws_ok(
  $$ select tasker.create_tasks('test', 'keyed', array['{}']::jsonb[], p_identity_keys => '{a}', p_task_uuids => '{}') $$,
  'TK422', 'contexts, keys and UUIDs for tasks of template "test/keyed" do not match', 'a missing UUID is refused'
);
select throws_ok(
  $$ select tasker.create_tasks('test', 'keyed', array['{}', '{}']::jsonb[], p_identity_keys => array['a', null]) $$,
  'TK422', 'task "test/keyed" needs an identity key', 'a null key is refused'
);

select * from finish();
rollback;
