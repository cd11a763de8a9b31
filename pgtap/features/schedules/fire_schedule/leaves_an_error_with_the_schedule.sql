begin;
select plan(11);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly('bad');
select tasker_test.hourly('good');
select tasker.register_task_template('{"namespace": "test", "name": "other", "steps": [{"name": "write"}]}');
select tasker.set_schedule('test', 'good', 'other', '0 * * * *');
select tasker.retire_task_template('test', 'report', '0.1.0');

select tasker_test.pass('1 hour');
select is((select count(*) from tasker.claim_steps('{test}', '01980000-0000-7000-8000-00000000000b', 10)), 1::bigint, 'a claim continues after the error, and other schedules tick');
select results_eq(
  $$ select k.tick, k.outcome, k.reason from tasker_test.ticks as k where k.schedule = 'bad' $$,
  $$ values ('01 13:00', 'failed', 'TK410: template "test/report" version 0.1.0 is retired') $$, 'the history has the error'
);
select results_eq(
  $$ select s.failures, s.last_error, s.last_error_at, s.next_tick_at, s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad' $$,
  $$ values (1, 'TK410: template "test/report" version 0.1.0 is retired', tasker.clock(), '2026-03-01 13:00+00'::timestamptz, interval '10 seconds') $$,
  'the schedule has the error, and its tick stays due for another attempt'
);
select is(tasker_test.tick('9 seconds'), 0, 'the tick is not tried again at once');
select is(tasker_test.tick('1 second'), 1, 'the tick is tried again after ten seconds');
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad'), interval '20 seconds', 'the second retry comes after twice as long');
update tasker.schedules set failures = 30 where schedule = 'bad';
select tasker_test.tick('20 seconds');
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'bad'), interval '1 hour', 'retries are at most an hour apart');

-- Mended: the same schedule with a template that is there.
select is(
  (select s.failures || coalesce(s.last_error, ' no error') from tasker.set_schedule('test', 'bad', 'other', '0 * * * *') as s), '0 no error', 'a change of the schedule clears the error'
);
select is(tasker_test.tick(), 1, 'the tick is due again after the change');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'bad' offset 3 $$, $$ values ('01 13:00', 'made') $$, 'the failed tick creates its task after the change'
);

-- The expression itself is what fails.
update tasker.schedules set timezone = 'Mars/Olympus' where schedule = 'good';
select tasker_test.tick('1 hour');
select matches((select s.last_error from tasker.schedules as s where s.schedule = 'good'), 'Mars/Olympus', 'an unknown time zone is an error of the schedule');

select * from finish();
rollback;
