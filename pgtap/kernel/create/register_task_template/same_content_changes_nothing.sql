-- However it is spelt: order of keys, defaults, the long form of a dependency, blanks, numbers.
begin;
select plan(9);

select tasker_test.take_turn();

select tasker.register_task_template(
  '{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b"}, {"name": "c", "dependencies": ["a", {"step": "b", "when": "$.ok==true"}], "retry": {"base_seconds": 2}}]}'
);
create temporary table before as
  select k.*, k.xmin::text as written from tasker.named_tasks as k where k.name = 'order';

select results_eq(
  format('select r.created, r.named_task_uuid, r.content_hash from tasker.register_task_template(%L) as r', spelling),
  'select false, b.named_task_uuid, b.content_hash from before as b',
  title
)
from (values
  ('the same again',
   '{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b"}, {"name": "c", "dependencies": ["a", {"step": "b", "when": "$.ok==true"}], "retry": {"base_seconds": 2}}]}'),
  ('defaults written out',
   '{"namespace": "shipping", "name": "order", "version": "0.1.0", "identity_strategy": "strict", "on_failure": "continue", "lifecycle": {}, "steps": [{"name": "a", "handler": "a", "join": "all", "dependencies": [], "initialization": {}}, {"name": "b", "retry": {"retryable": true, "backoff": "exponential"}, "priority": 0}, {"name": "c", "dependencies": ["a", {"step": "b", "when": "$.ok==true"}], "retry": {"base_seconds": 2}}]}'),
  ('nulls for what is left out',
   '{"namespace": "shipping", "name": "order", "version": null, "description": null, "lifecycle": null, "steps": [{"name": "a", "handler": null, "retry": null, "dependencies": null, "initialization": null}, {"name": "b"}, {"name": "c", "dependencies": [{"step": "a", "when": null}, {"step": "b", "when": "$.ok==true"}], "retry": {"base_seconds": 2}}]}'),
  ('dependencies in another order and form, the condition with blanks, the number with a fraction',
   '{"steps": [{"name": "a"}, {"name": "b"}, {"retry": {"base_seconds": 2.0}, "dependencies": [{"when": "$ . ok == true", "step": "b"}, {"step": "a"}], "name": "c"}], "name": "order", "namespace": "shipping"}')
) as t (title, spelling);

select results_eq(
  $$ select r.created from tasker.register_task_template((select t.template from tasker.get_task_template('shipping', 'order') as t)) as r $$,
  'values (false)',
  'the template as get_task_template returns it is not registered again'
);
select tasker.set_setting('max_attempts', '9');
select results_eq(
  $$ select r.created from tasker.register_task_template((select t.template from tasker.get_task_template('shipping', 'order') as t)) as r $$,
  'values (false)',
  'it is not registered again after a setting that it relies on has changed'
);
select is_empty(
  $$ select from before as b join tasker.named_tasks as k using (named_task_uuid) where k.xmin::text is distinct from b.written $$,
  'the row is not written again'
);
select is(
  (select count(*) from tasker.named_tasks_named_steps as s join before as b using (named_task_uuid)), 3::bigint,
  'no step is added'
);
select is(
  (select count(*) from tasker.named_task_edges as e join before as b using (named_task_uuid)), 2::bigint,
  'no edge is added'
);

select * from finish();
rollback;
