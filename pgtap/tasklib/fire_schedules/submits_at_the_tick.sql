begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.schedule_task('s', 'echo', '0 * * * *', p_kwargs => '{"n": 1}', p_priority => 3, p_max_retries => 1, p_tags => '{"a": 1}');

select is(tasklib.fire_schedules(), 0, 'no schedule fires before its tick');
select tasker_test.pass('1 hour');
select is(tasklib.fire_schedules(), 1, 'the schedule fires at its tick');
select is(tasklib.fire_schedules(), 0, 'the same tick does not fire twice');
select results_eq(
  'select t.kwargs, t.priority, t.max_retries, t.tags, t.ready from tasklib.tasks as t',
  $$ values ('{"n": 1}'::jsonb, 3, 1, '{"a": 1, "schedule": "s", "tick": "2026-03-01T13:00:00+00:00"}'::jsonb, true) $$, 'the task has the schedule and the tick among its tags'
);
select results_eq(
  'select s.last_at, s.next_at, s.last_task_id from tasklib.list_schedules() as s',
  $$ select '2026-03-01 13:00+00'::timestamptz, '2026-03-01 14:00+00'::timestamptz, t.id from tasklib.tasks as t $$, 'the schedule has the last task and the next tick'
);
select throws_ok('select tasklib.fire_schedules(0)', 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');

select * from finish();
rollback;
