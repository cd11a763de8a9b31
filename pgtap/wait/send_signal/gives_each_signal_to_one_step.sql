begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('two', '[
  {"name": "first", "await": {"signal": "go"}},
  {"name": "second", "await": {"signal": "go"}}
]');

select is(tasker_test.signal('go'), 'delivered first', 'of two steps that wait for it the first takes it');
select is(tasker_test.states(), 'waiting_for_dependencies: first=complete second=suspended', 'and no other');
select is(tasker_test.signal('go'), 'delivered second', 'the next signal is for the second');
select is(tasker_test.states(), 'complete: first=complete second=complete', 'then the task is done');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
