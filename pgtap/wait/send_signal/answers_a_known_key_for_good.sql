begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}, {"name": "ship", "dependencies": ["approve"]}]');

select is(tasker_test.signal('other', '{}', 'hook-0'), 'kept', 'a signal that no step waits for');
select is(tasker_test.signal('other', '{}', 'hook-0'), 'repeated', 'the same again');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'delivered approve', 'one that a step waits for');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'repeated approve', 'the same again, with the step that took it');
select tasker_test.run('ship');
select is(tasker_test.states(), 'complete: approve=complete ship=complete', 'the task ends');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'repeated approve', 'a webhook repeats it all the same');
select throws_like(
  $$ select tasker_test.signal('approved', '{}', 'hook-2') $$, 'task % is complete and takes no signal', 'a new one is refused'
);
select is((select count(*) from tasker.task_signals), 2::bigint, 'each is there once');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
