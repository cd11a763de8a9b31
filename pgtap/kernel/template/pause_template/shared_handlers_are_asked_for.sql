begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_namespace('test');
select tasker.register_namespace('elsewhere');
select tasker.register_task_template('{"namespace": "test", "name": "order", "steps": [{"name": "charge"}, {"name": "pack"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "refunds", "steps": [{"name": "charge"}]}');
select tasker.register_task_template('{"namespace": "elsewhere", "name": "order", "steps": [{"name": "pack"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "naps", "steps": [{"name": "nap", "await": {"for": 5}}]}');

select throws_ok(
  $$ select tasker.pause_template('test', 'order') $$, 'TK409',
  'template "order" of namespace "test" shares handlers with other templates, whose steps would stand still, too', 'a handler of another template is not paused silently'
);
select is_empty($$ select from tasker.list_handler_pauses() $$, 'nothing is paused');
select is(tasker.pause_template('test', 'order', p_shared => true), '{charge,pack}', 'a caller that says so pauses it');
select results_eq(
  $$ select distinct p.namespace from tasker.list_handler_pauses() as p $$, $$ values ('test') $$, 'other namespaces go on'
);
select throws_ok(
  $$ select tasker.pause_template('test', 'naps') $$, 'TK422', 'template "naps" of namespace "test" has no handler that could be paused', 'a template without handlers is refused'
);

select * from finish();
rollback;
