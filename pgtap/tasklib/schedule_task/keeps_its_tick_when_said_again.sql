begin;
select plan(4);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();

select results_eq(
  $$ select s.schedule collate "default", s.next_at, s.missed, s.timezone from tasklib.schedule_task('nightly', 'echo', '0 3 * * *', 'Europe/Berlin', '{"n": 1}') as s $$,
  $$ values ('nightly', '2026-03-02 02:00+00'::timestamptz, 'once', 'Europe/Berlin') $$, 'schedule_task returns the next tick'
);
select tasker_test.pass('20 hours');
select is((select s.next_at from tasklib.schedule_task('nightly', 'echo', '0 3 * * *', 'Europe/Berlin', '{"n": 2}') as s), '2026-03-02 02:00+00'::timestamptz, 'the same expression keeps a tick that is due');
select is((select s.next_at from tasklib.schedule_task('nightly', 'echo', '0 4 * * *', 'Europe/Berlin', '{"n": 2}') as s), '2026-03-03 03:00+00'::timestamptz, 'another expression computes the next tick anew');
select is((select count(*) from tasklib.list_schedules()), 1::bigint, 'one schedule exists');

select * from finish();
rollback;
