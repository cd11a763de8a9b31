begin;
select plan(3);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "zone_b", "name": "b", "steps": [{"name": "x"}]}');
select tasker.register_task_template('{"namespace": "zone_a", "name": "b", "version": "1", "steps": []}');
select tasker.register_task_template('{"namespace": "zone_a", "name": "b", "version": "2", "steps": [{"name": "x"}, {"name": "y"}]}');
select tasker.register_task_template('{"namespace": "zone_a", "name": "a", "steps": []}');
select tasker.retire_task_template('zone_a', 'b', '2');

select results_eq(
  $$ select t.name, t.version, t.step_count, t.retired_at is not null from tasker.list_task_templates('zone_a') as t $$,
  $$ values ('a', '0.1.0', 0, false), ('b', '2', 2, true), ('b', '1', 0, false) $$, 'the templates of a namespace are listed with their versions, also retired ones'
);
select results_eq(
  $$ select t.namespace || '/' || t.name || '/' || t.version from tasker.list_task_templates() as t where t.namespace like 'zone\__' $$,
  $$ values ('zone_a/a/0.1.0'), ('zone_a/b/2'), ('zone_a/b/1'), ('zone_b/b/0.1.0') $$, 'the templates of all namespaces are listed'
);
select is_empty($$ select from tasker.list_task_templates('nowhere') $$, 'an unknown namespace has no templates');

select * from finish();
rollback;
