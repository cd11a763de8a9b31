-- Without a worker and without an orchestrator: everything up to the next step with a handler.
begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": {"signal": "approved"}},
  {"name": "cool", "dependencies": ["approve"], "await": {"signal": "cooled"}},
  {"name": "ship", "dependencies": [{"step": "cool", "when": "$.payload.ok == true"}]},
  {"name": "scrap", "dependencies": [{"step": "cool", "when": "$.payload.ok == false"}]}
]');

select is(
  tasker_test.states(), 'waiting_for_dependencies: approve=suspended cool=pending ship=pending scrap=pending',
  'a step without a handler waits as soon as its task is created'
);
select is(tasker_test.signal('approved', '{"by": "ann"}'), 'delivered approve', 'the signal is delivered to the step');
select is(tasker_test.states(), 'waiting_for_dependencies: approve=complete cool=suspended ship=pending scrap=pending', 'the next step begins to wait');
select is(tasker_test.signal('cooled', '{"ok": true}'), 'delivered cool', 'the next step takes its own signal');
select is(tasker_test.states(), 'steps_in_process: approve=complete cool=complete ship=enqueued scrap=cancelled', 'the step with a handler is enqueued');
select results_eq(
  $$ select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.results is not null order by s.step_no $$,
  $$ values
    ('{"by": "signal", "name": "approved", "payload": {"by": "ann"}, "sent_at": "2026-11-22T12:00:00.000000Z"}'::jsonb),
    ('{"by": "signal", "name": "cooled", "payload": {"ok": true}, "sent_at": "2026-11-22T12:00:00.000000Z"}') $$,
  'the result of a wait says what ended it'
);
select is((select count(*) from tasker.waits), 0::bigint, 'no wait is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
