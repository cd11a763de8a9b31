begin;
select plan(5);

select tasker_test.take_turn();

select results_eq(
  $$
  select r.namespace, r.name, r.version, r.step_count, r.created, r.retired_at
    from tasker.register_task_template('{
      "namespace": "shipping", "name": "order",
      "steps": [
        {"name": "reserve", "handler": "stock.reserve"},
        {"name": "charge"},
        {"name": "ship", "dependencies": ["reserve", {"step": "charge", "when": "$.paid == true"}]}
      ]
    }') as r
  $$,
  $$ values ('shipping', 'order', '0.1.0', 3, true, null::timestamptz) $$,
  'the template is created with the default version'
);
select results_eq(
  $$
  select s.step_no, s.step_name, h.name
    from tasker.named_tasks_named_steps as s
    join tasker.named_steps as h on h.named_step_uuid = s.named_step_uuid
    join tasker.named_tasks as k on k.named_task_uuid = s.named_task_uuid
   where k.name = 'order'
   order by s.step_no
  $$,
  $$ values (1, 'reserve', 'stock.reserve'), (2, 'charge', 'charge'), (3, 'ship', 'ship') $$,
  'steps are numbered in their order; the handler is the step''s name if it does not say'
);
select results_eq(
  $$
  select e.from_step_no, e.to_step_no, e.condition::text
    from tasker.named_task_edges as e
    join tasker.named_tasks as k on k.named_task_uuid = e.named_task_uuid
   where k.name = 'order'
   order by e.from_step_no
  $$,
  $$ values (1, 3, null), (2, 3, '($."paid" == true)') $$,
  'dependencies are stored as edges with their conditions'
);
select isnt_empty(
  $$ select from tasker.task_namespaces as n where n.name = 'shipping' $$,
  'the namespace is created with the template'
);
select results_eq(
  $$
  select r.step_count
    from tasker.register_task_template('{"namespace": "shipping", "name": "nothing", "steps": []}') as r
  $$,
  'values (0)',
  'a template may have no steps'
);

select * from finish();
rollback;
