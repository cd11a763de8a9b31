begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('times', '[
  {"name": "for", "await": {"for": "90m"}},
  {"name": "until", "await": {"until": "2026-11-22T15:00:00+02:00"}},
  {"name": "path", "await": [{"until": "$.ship_at"}, {"signal": "now"}]},
  {"name": "wrong", "await": {"until": "$.nothing"}},
  {"name": "fails", "await": {"signal": "never"}, "timeout": 7200},
  {"name": "skips", "await": {"signal": "never"}, "timeout": "2h", "on_timeout": "skip"},
  {"name": "goes_on", "await": [{"signal": "never"}, {"for": "3h"}], "timeout": "2h", "on_timeout": "complete"},
  {"name": "after", "dependencies": ["goes_on"]}
]', '{}', '{"ship_at": "2026-11-22T13:15:00Z"}');

select results_eq(
  $$ select s.name, m.due_at from tasker.timers as m join tasker.workflow_steps as s using (task_uuid, step_no) order by s.step_no $$,
  $$ values
    ('for', timestamptz '2026-11-22 13:30:00+00'), ('until', '2026-11-22 13:00:00+00'), ('path', '2026-11-22 13:15:00+00'),
    ('wrong', '2026-11-22 12:00:00+00'), ('fails', '2026-11-22 14:00:00+00'), ('skips', '2026-11-22 14:00:00+00'),
    ('goes_on', '2026-11-22 14:00:00+00') $$,
  'each wait has one timer, for the alternative that ends it first'
);
select is(tasker.fire_due_timers(), 1, 'a time that cannot be read from the context ends its wait at once');
select is(
  (select s.last_error from tasker.workflow_steps as s where s.name = 'wrong'),
  'until: $.nothing of the context is not a time such as 2026-12-24T18:00:00Z', 'the step fails with that reason'
);
select results_eq(
  $$ select s.name from tasker.waits as w join tasker.workflow_steps as s using (task_uuid, step_no) order by s.step_no $$,
  array['path', 'fails', 'skips', 'goes_on'], 'the other steps wait for their signals'
);
select tasker_test.pass('59 minutes 59 seconds');
select is(tasker.fire_due_timers(), 0, 'no wait ends before its time');
select tasker_test.pass('1 second');
select is(tasker.fire_due_timers(), 1, 'the first wait ends when it is due');
select tasker_test.pass('30 minutes');
select is(tasker.fire_due_timers(), 2, 'the next two waits end when they are due');
select is(tasker_test.signal('never'), 'delivered fails', 'a signal that comes before the time-out is delivered');
select tasker_test.pass('30 minutes');
select is(tasker.fire_due_timers(), 2, 'the other waits time out');
select is(
  tasker_test.states(),
  'steps_in_process: for=complete until=complete path=complete wrong=error fails=complete skips=cancelled goes_on=complete after=enqueued',
  'each step goes on as its template says'
);
select results_eq(
  $$ select s.name, s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.results is not null order by s.step_no $$,
  $$ values
    ('for', '{"by": "for"}'::jsonb), ('until', '{"by": "until"}'), ('path', '{"by": "until"}'),
    ('fails', '{"by": "signal", "name": "never", "payload": {}, "sent_at": "2026-11-22T13:30:00.000000Z"}'), ('goes_on', '{"by": "timeout"}') $$,
  'the result says what ended each wait'
);
select is((select count(*) from tasker.timers), 0::bigint, 'no timer is left');
select is((select count(*) from tasker.waits), 0::bigint, 'no wait is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
