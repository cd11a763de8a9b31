begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}, {"name": "ship", "dependencies": ["approve"]}]');

select is(tasker_test.signal('other', '{}', 'hook-0'), 'kept', 'a signal that no step waits for is kept');
select is(tasker_test.signal('other', '{}', 'hook-0'), 'repeated', 'its repeat is answered as repeated');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'delivered approve', 'a signal that a step waits for is delivered');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'repeated approve', 'its repeat is answered with the step that took it');
select tasker_test.run('ship');
select is(tasker_test.states(), 'complete: approve=complete ship=complete', 'the task completes');
select is(tasker_test.signal('approved', '{}', 'hook-1'), 'repeated approve', 'a repeat after the end of the task is answered in the same way');
select is(tasker_test.signal('approved', '{}', 'hook-2'), 'ended', 'a new signal after the end of the task is not taken');
select is((select count(*) from tasker.task_signals), 2::bigint, 'each signal is stored once');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
