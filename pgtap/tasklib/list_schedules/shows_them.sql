begin;
select plan(1);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.schedule_task('b', 'echo', '0 13 * * *'), tasklib.schedule_task('a', 'echo', '@hourly');
select results_eq(
  'select s.schedule collate "default", s.next_at from tasklib.list_schedules() as s',
  $$ values ('a', '2026-03-01 13:00+00'::timestamptz), ('b', '2026-03-01 13:00+00') $$, 'the schedules are listed by name, with their next tick'
);

select * from finish();
rollback;
