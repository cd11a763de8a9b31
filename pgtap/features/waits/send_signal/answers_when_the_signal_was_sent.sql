begin;
select plan(8);

-- Half an hour off, so that a time zone of the session would show.
set local timezone to 'Asia/Kolkata';
select tasker_test.freeze('2026-11-22 12:00:00.25+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": {"signal": "approved"}},
  {"name": "cool", "dependencies": ["approve"], "await": {"signal": "cooled"}}
]');
select is(tasker_test.signal('cooled', '{"ok": true}'), 'kept', 'a signal is sent before its step waits');
select tasker_test.pass('1 hour');
select is(tasker_test.signal('approved', '{"ok": true}'), 'delivered approve', 'a signal is sent to a step that waits');
select results_eq(
  $$ select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() order by s.step_no $$,
  $$ values
    ('{"by": "signal", "name": "approved", "payload": {"ok": true}, "sent_at": "2026-11-22T13:00:00.250000Z"}'::jsonb),
    ('{"by": "signal", "name": "cooled", "payload": {"ok": true}, "sent_at": "2026-11-22T12:00:00.250000Z"}') $$,
  'the answer has the time at which the signal was sent, not the time at which the step took it'
);

select tasker_test.begin_function();
select is(tasker_test.signal('early', '{}'), 'kept', 'a signal is sent before a function waits');
select tasker_test.pass('1 hour');
select is(
  tasker_test.suspend(1, '{"await": {"signal": "early"}}', '$await.early'),
  'ended {"by": "signal", "name": "early", "payload": {}, "sent_at": "2026-11-22T13:00:00.250000Z"}', 'a function that takes a kept signal knows the time'
);
select tasker_test.suspend(2, '{"await": {"signal": "late"}}', '$await.late');
select tasker_test.signal('late');
select matches(tasker_test.run_function(), '"late", "payload": {}, "sent_at": "2026-11-22T14:00:00.250000Z"}$', 'a function that waits for a signal knows the time');
select tasker_test.finish('work');

set local timezone to 'America/St_Johns';
select is_empty($$ select from tasker.check_integrity() as p where p.object = 'task_signals' $$, 'the check of integrity in another time zone finds nothing');
-- The history keeps digests: a time that was changed by hand is found.
alter table tasker.task_signals disable trigger user;
update tasker.task_signals as g set sent_at = g.sent_at - interval '1 microsecond' where g.name = 'approved';
select results_eq(
  $$ select p.problem from tasker.check_integrity() as p where p.object = 'task_signals' and p.step_no is not null $$,
  $$ values ('has signal 2 as taken by a step whose history does not have it') $$, 'the check of integrity finds a changed time'
);

select * from finish();
rollback;
