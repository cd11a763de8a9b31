begin;
select plan(3);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "shipping", "name": "one", "steps": [{"name": "a", "handler": "mail"}, {"name": "b", "handler": "mail"}]}');
select tasker.register_task_template('{"namespace": "billing", "name": "two", "steps": [{"name": "mail"}]}');

select is((select count(*) from tasker.named_steps as h where h.name = 'mail'), 1::bigint, 'one handler exists');
select is(
  (select count(distinct s.named_step_uuid) from tasker.named_tasks_named_steps as s join tasker.named_tasks as k using (named_task_uuid) where k.name in ('one', 'two')),
  1::bigint, 'steps of both templates use it'
);
select results_eq(
  $$ select r.created from tasker.register_task_template('{"namespace": "billing", "name": "one", "steps": []}') as r $$,
  'values (true)', 'another namespace may have a template of the same name'
);

select * from finish();
rollback;
