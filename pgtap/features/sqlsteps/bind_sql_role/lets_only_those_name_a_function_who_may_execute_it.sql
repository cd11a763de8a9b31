begin;
select plan(8);

select tasker_test.take_turn();
select tasker_test.open_shop();
create role test_registrant;
grant tasker_orchestrator to test_registrant;
revoke execute on function test_shop.note from public;

prepare register as select tasker.register_task_template('{"namespace": "test", "name": "named", "steps": [{"name": "a", "sql": "test_shop.note"}]}');
select throws_ok('register', 'TK403', 'step "a": role "test_shop_steps", which the SQL steps of namespace "test" run as, may not execute test_shop.note(jsonb)', 'a function that the bound role may not execute');
grant execute on function test_shop.note to test_shop_steps;
set local role test_registrant;
select throws_ok('register', 'TK403', 'step "a": role "test_registrant" may not execute test_shop.note(jsonb)', 'a function that the registrant may not execute');
reset role;
grant usage on schema test_shop to test_registrant;
grant execute on function test_shop.note to test_registrant;
set local role test_registrant;
select lives_ok('register', 'one who may register it');
reset role;
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [{"name": "a", "sql": "test_shop.missing"}]}') $$,
  'TK422', 'step "a": function test_shop.missing(jsonb) does not exist', 'a function that is missing'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [{"name": "a", "sql": "test_shop.whole"}]}') $$,
  'TK422', 'step "a": function test_shop.whole(jsonb) does not return one jsonb', 'a function that returns something else'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [{"name": "a", "handler": "sql:test_shop.note"}]}') $$,
  'TK422', 'steps[0].handler: begins with "sql:"', 'a handler that looks like a function'
);
select tasker_test.register('plain', 'a');
select c.task_uuid as task from tasker.create_task('test', 'plain') as c \gset
revoke execute on function test_shop.note from test_registrant;
set local role test_registrant;
select throws_ok(
  format($$ select tasker.add_steps(%L, '[{"name": "added", "sql": "test_shop.note"}]') $$, :'task'),
  'TK403', 'step "added": role "test_registrant" may not execute test_shop.note(jsonb)', 'steps that are added to a task are checked, too'
);
reset role;
select is(
  (select k.configuration #>> '{steps,0,sql}' || ' ' || (k.configuration #>> '{steps,0,handler}') from tasker.named_tasks as k where k.name = 'named'),
  'test_shop.note sql:test_shop.note', 'the stored template names the function'
);

select * from finish();
rollback;
