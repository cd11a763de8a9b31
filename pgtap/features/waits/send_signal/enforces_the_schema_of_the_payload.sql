begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "check"},
  {"name": "approve", "dependencies": ["check"], "await": {"signal": "approved", "schema": {
    "type": "object", "required": ["ok"],
    "properties": {
      "ok": {"type": "boolean"}, "note": {"type": "string", "maxLength": 5}, "level": {"enum": [1, 2, null]},
      "amount": {"type": "number", "minimum": 1, "maximum": 10}, "count": {"type": "integer"},
      "lines": {"type": "array", "items": {"type": "object", "required": ["sku"]}}
    }
  }}}
]');

select throws_ok(format('select tasker_test.signal(%L, %L)', 'approved', c.payload), 'TK422', 'signal "approved": ' || c.problem, c.payload)
  from (values
    ('1', 'payload must be of type object, not number'),
    ('{}', 'payload.ok is missing'),
    ('{"ok": "yes"}', 'payload.ok must be of type boolean, not string'),
    ('{"ok": true, "note": "too long"}', 'payload.note must not be longer than 5 characters'),
    ('{"ok": true, "level": 3}', 'payload.level must be one of [1, 2, null]'),
    ('{"ok": true, "amount": 0.5}', 'payload.amount must not be below 1'),
    ('{"ok": true, "amount": 10.5}', 'payload.amount must not be above 10'),
    ('{"ok": true, "count": 1.5}', 'payload.count must be of type integer, not number'),
    ('{"ok": true, "lines": {}}', 'payload.lines must be of type array, not object'),
    ('{"ok": true, "lines": [{"sku": 1}, {}]}', 'payload.lines[1].sku is missing')
  ) as c (payload, problem);
select is((select count(*) from tasker.task_signals), 0::bigint, 'no refused signal is kept, although the step does not wait yet');
select is(
  tasker_test.signal('approved', '{"ok": true, "note": "short", "level": null, "amount": 10, "count": 2.0, "lines": [{"sku": 1}], "more": 1}'),
  'kept', 'a payload that matches the schema is kept'
);
select tasker_test.run('check');
select is(tasker_test.states(), 'complete: check=complete approve=complete', 'the step takes it');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
