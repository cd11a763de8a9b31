begin;
select plan(11);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly('bad');
select tasker_test.hourly('good');
select tasker.register_task_template('{"namespace": "test", "name": "other", "steps": [{"name": "write"}]}');
select tasker.set_schedule('test', 'good', 'other', '0 * * * *');
select tasker.retire_task_template('test', 'report', '0.1.0');

select tasker_test.pass('1 hour');
select is((select count(*) from tasker.claim_steps('{test}', '01980000-0000-7000-8000-00000000000b', 10)), 1::bigint, 'a claim goes on, and other schedules tick');
select results_eq(
  $$ select k.tick, k.outcome, k.reason from tasker_test.ticks as k where k.schedule = 'bad' $$,
  $$ values ('01 13:00', 'failed', 'TK410: template "test/report" version 0.1.0 is retired') $$, 'the history has the error'
);
select results_eq(
  $$ select s.failures, s.last_error, s.last_error_at, s.next_tick_at, s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad' $$,
  $$ values (1, 'TK410: template "test/report" version 0.1.0 is retired', tasker.clock(), '2026-03-01 13:00+00'::timestamptz, interval '10 seconds') $$,
  'so has the schedule; the tick stays, and is tried again'
);
select is(tasker_test.tick('9 seconds'), 0, 'not at once');
select is(tasker_test.tick('1 second'), 1, 'but then');
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad'), interval '20 seconds', 'and after twice as long');
update tasker.schedules set failures = 30 where schedule = 'bad';
select tasker_test.tick('20 seconds');
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad'), interval '1 hour', 'an hour at most');

-- Mended: the same schedule with a template that is there.
select is(
  (select s.failures || coalesce(s.last_error, ' no error') from tasker.set_schedule('test', 'bad', 'other', '0 * * * *') as s), '0 no error', 'a change forgets the error'
);
select is(tasker_test.tick(), 1, 'and the tick is due again');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'bad' offset 3 $$, $$ values ('01 13:00', 'made') $$, 'it is not lost'
);

-- The expression itself is what fails.
update tasker.schedules set timezone = 'Mars/Olympus' where schedule = 'good';
select tasker_test.tick('1 hour');
select matches((select s.last_error from tasker.schedules as s where s.schedule = 'good'), 'Mars/Olympus', 'a time zone that is gone');

select * from finish();
rollback;
