begin;
select plan(16);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "always_unique", "input_schema": {
    "title": "An order", "type": "object", "required": ["amount"], "properties": {
      "amount": {"type": "integer", "minimum": 1, "description": "In cents.", "examples": [7]},
      "note": {"type": ["string", "null"], "maxLength": 5, "default": 7, "format": "no such"},
      "lines": {"type": "array", "items": {"type": "object", "required": ["sku"]}}
    }
  }, "steps": [{"name": "a"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "parent", "on_failure": "fail", "steps": [{"name": "c", "task": {"name": "order"}}]}');

select throws_ok(format('select tasker.create_task(%L, %L, %L)', 'test', 'order', c.context), 'TK422', 'task "test/order": context' || c.problem, c.context)
  from (values
    ('{}', '.amount is missing'),
    ('{"amount": "7"}', '.amount must be of type integer, not string'),
    ('{"amount": 0}', '.amount must not be below 1'),
    ('{"amount": 1, "note": 7}', '.note must be of type string or null, not number'),
    ('{"amount": 1, "note": "too long"}', '.note must not be longer than 5 characters'),
    ('{"amount": 1, "lines": [{"sku": 1}, {}]}', '.lines[1].sku is missing')
  ) as c (context, problem);
select is(
  (select count(*) from tasker.create_task('test', 'order', '{"amount": 1, "note": null, "lines": [{"sku": 1}], "more": 1}') as c where c.created),
  1::bigint, 'a context that fits makes a task: what the schema does not name may be there, and a note refuses nothing'
);

-- Every way to a task.
select throws_ok(
  $$ select tasker.create_tasks('test', 'order', array['{"amount": 1}', '{}']::jsonb[]) $$, 'TK422', 'task "test/order": context.amount is missing',
  'one of many refuses all'
);
select throws_ok(
  $$ select tasker.create_task('test', 'order', '{}', p_start_at => '2026-11-23') $$, 'TK422', 'task "test/order": context.amount is missing',
  'a task that starts later'
);
select throws_ok(
  $$ select tasker.create_task('test', 'order', '{}', p_tags => '{a}', p_initiator => 'ann') $$, 'TK422', 'task "test/order": context.amount is missing',
  'a task with tags and an initiator'
);
select throws_ok(
  $$ select tasker.set_schedule('test', 'nightly', 'order', p_every_seconds => 60) $$, 'TK422', 'task "test/order": context.amount is missing',
  'a schedule'
);
select is((select count(*) from tasker.tasks), 1::bigint, 'no refused request has made a task');
select c.task_uuid as parent from tasker.create_task('test', 'parent') as c \gset
select tasker.fire_due_timers();
select tasker.orchestrate();
select is(
  (select s.state || ': ' || s.last_error from tasker.list_steps(:'parent') as s), 'error: task "test/order": context.amount is missing',
  'a step that would start such a task fails'
);

-- Others are not checked.
select is((select count(*) from tasker.creation_plans as p where p.input_schema is not null), 1::bigint, 'only the plan of the template has a schema');
select is((select count(*) from tasker.create_task('test', 'plain', '{"amount": "7"}') as c where c.created), 1::bigint, 'a template without a schema takes any object');
select is_empty('select v.* from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
