begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('two', '[
  {"name": "first", "await": {"signal": "go"}},
  {"name": "second", "await": {"signal": "go"}}
]');

select is(tasker_test.signal('go'), 'delivered first', 'the first of two steps that wait takes the signal');
select is(tasker_test.states(), 'waiting_for_dependencies: first=complete second=suspended', 'the second step still waits');
select is(tasker_test.signal('go'), 'delivered second', 'the second step takes the next signal');
select is(tasker_test.states(), 'complete: first=complete second=complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
