begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "check"}]');
select tasker.add_steps(tasker_test.the_task(), '[
  {"name": "approve", "dependencies": ["check"], "await": {"signal": "approved"}, "timeout": "1h"},
  {"name": "ask", "await": {"signal": "asked"}}, {"name": "ship", "dependencies": ["approve", "ask"]}
]');
select tasker_test.orchestrate();
select is(tasker_test.states(), 'steps_in_process: check=enqueued approve=pending ask=suspended ship=pending', 'an added step without open dependencies waits');
select tasker_test.run('check');
select is(tasker_test.signal('approved') || ', ' || tasker_test.signal('asked'), 'delivered approve, delivered ask', 'both steps take their signals');
select is(tasker_test.states(), 'steps_in_process: check=complete approve=complete ask=complete ship=enqueued', 'the next step is enqueued');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
