begin;
select plan(3);

select tasker_test.take_turn();
select tasker.register_task_template(
  '{"namespace": "test", "name": "plain", "version": "1.0.0", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}'
);
select is_empty('select * from tasker.check_integrity()', 'a registered template has no problem');
update tasker.named_tasks set identity_strategy = 'always_unique' where name = 'plain';
select results_eq(
  'select p.object, p.problem from tasker.check_integrity() as p',
  $$ values ('named_tasks', 'template "plain" version "1.0.0" was changed after its registration') $$,
  'a changed identity strategy is reported'
);
update tasker.named_tasks set identity_strategy = 'strict', root_steps = 2 where name = 'plain';
select results_eq(
  'select p.problem from tasker.check_integrity() as p',
  $$ values ('template "plain" version "1.0.0" was changed after its registration') $$,
  'a changed count of root steps is reported'
);

select * from finish();
rollback;
