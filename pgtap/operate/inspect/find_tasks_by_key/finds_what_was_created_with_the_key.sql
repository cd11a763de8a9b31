begin;
select plan(10);

select tasker_test.freeze();
select tasker.register_task_template(format(
  '{"namespace": "shop", "name": %s, "version": %s, "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}', to_json(t.name), to_json(t.version)
)::jsonb)
  from (values ('order', '1.0.0'), ('order', '2.0.0'), ('return', '1.0.0')) as t (name, version);
select c.task_uuid as first from tasker.create_task('shop', 'order', '{}', p_version => '1.0.0', p_identity_key => 'order-7') as c \gset
select tasker.create_task('shop', 'order', '{}', p_identity_key => 'order-8');
select tasker_test.pass('1 s');
select c.task_uuid as second from tasker.create_task('shop', 'return', '{}', p_identity_key => 'order-7') as c \gset

select results_eq(
  $$ select f.task_uuid from tasker.find_tasks_by_key('order-7') as f $$,
  format('select unnest(%L::uuid[])', array[:'second', :'first']), 'it finds the tasks of all templates, newest first'
);
select is((select f.task_uuid from tasker.find_tasks_by_key('order-7', 'shop', 'order') as f), :'first'::uuid, 'it finds the task of one template');
select is_empty($$ select from tasker.find_tasks_by_key('order-7', 'shop', 'other') $$, 'another template has no task with the key');
select is_empty($$ select from tasker.find_tasks_by_key('order-7', 'nowhere') $$, 'an unknown namespace has no task with the key');
select is_empty($$ select from tasker.find_tasks_by_key('order') $$, 'a part of the key finds nothing');
select is_empty($$ select from tasker.find_tasks_by_key('') $$, 'an empty key finds nothing');
select throws_ok($$ select tasker.find_tasks_by_key(null) $$, 'TK422', 'the identity key is null', 'a null key is refused');
select throws_ok(
  $$ select tasker.find_tasks_by_key(repeat('x', 1001)) $$, 'TK413', 'the identity key is longer than 1000 characters', 'a key of 1,001 characters is refused'
);

create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.find_tasks_by_key('order-7') $$, 'a bound role finds no task of another namespace');
select throws_ok(
  $$ select tasker.find_tasks_by_key('order-7', 'shop') $$, 'TK403', 'role "tap_bound" may not work in namespace "shop"', 'a bound role may not name another namespace'
);
reset role;

select * from finish();
rollback;
