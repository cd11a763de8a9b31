begin;
select plan(6);

select tasker.register_task_template('{"namespace": "test", "name": "job", "attributes": {"customer": "$.c", "total": {"type": "number", "context": "$.t"}}, "steps": []}');
select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "2", "attributes": {"customer": "$.customer"}, "steps": []}');
select tasker.register_task_template('{"namespace": "test", "name": "bill", "attributes": {"customer": "$.c"}, "steps": []}');
select tasker.register_task_template('{"namespace": "other", "name": "job", "attributes": {"total": "$.c"}, "steps": []}');
select results_eq(
  $$ select a.name, a.type, a.templates from tasker.list_attributes('test') as a $$,
  $$ values ('customer', 'text', '{bill,job}'::text[]), ('total', 'number', '{job}') $$, 'of a namespace'
);
select results_eq($$ select a.namespace, a.name, a.type from tasker.list_attributes() as a limit 1 $$, $$ values ('other', 'total', 'text') $$, 'of all namespaces');
select task_uuid as task from tasker.create_task('test', 'job', '{"customer": "ann"}') \gset
set local tasker.namespaces = 'other';
select results_eq($$ select a.name from tasker.list_attributes() as a $$, array['total'], 'a bound caller sees its own');
select throws_ok($$ select * from tasker.list_attributes('test') $$, 'TK403', 'role "postgres" may not work in namespace "test"', 'and no other');
select throws_ok($$ select * from tasker.list_tasks(p_attributes => '{customer=x}') $$, 'TK422', 'no template declares the attribute "customer" in the namespace "other"', 'a search neither');
select throws_ok(format('select * from tasker.get_task_attributes(array[%L::uuid])', :'task'), 'TK403', 'role "postgres" may not work in namespace "test"', 'nor the attributes of a task');

select * from finish();
rollback;
