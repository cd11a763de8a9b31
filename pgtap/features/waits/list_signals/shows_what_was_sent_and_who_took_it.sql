begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}, {"name": "ship", "dependencies": ["approve"]}]');
select tasker_test.signal('other', '{"n": 1}');
select tasker_test.signal('approved', '{"n": 2}', 'hook');
select results_eq(
  $$ select g.signal_no, g.name, g.payload, g.idempotency_key, g.sent_by = session_user, g.consumed, g.step_name from tasker.list_signals(tasker_test.the_task()) as g $$,
  $$ values (1, 'other', '{"n": 1}'::jsonb, null, true, false, null), (2, 'approved', '{"n": 2}', 'hook', true, true, 'approve') $$,
  'signals are listed in the order in which they were sent'
);
select results_eq($$ select g.signal_no from tasker.list_signals(tasker_test.the_task(), 1) as g $$, array[2], 'p_after returns the next page');
select throws_ok($$ select tasker.list_signals('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');
select throws_ok($$ select tasker.list_signals(tasker_test.the_task(), 0, 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit out of range is refused');
select throws_ok($$ select tasker.list_signals(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');

select * from finish();
rollback;
