begin;
select plan(7);

select tasker_test.freeze_with_partitions('2026-03-01 12:10+00');
select tasker_test.hourly(p_overlap => 'skip');
select tasker.pause_schedule('test', 'hourly');

select results_eq(
  $$ select k.cause, k.outcome, k.tick_at from tasker.run_schedule_now('test', 'hourly', 'ann', 'the report was late') as k $$,
  $$ values ('run_now', 'made', '2026-03-01 12:10+00'::timestamptz) $$, 'run_schedule_now creates a task of a paused schedule, too'
);
select results_eq('select t.initiator, t.reason from tasker.tasks as t', $$ values ('ann', 'the report was late') $$, 'the actor is the task''s initiator, the reason its reason');
select isnt((select k.task_uuid from tasker.run_schedule_now('test', 'hourly') as k), (select t.task_uuid from tasker.tasks as t), 'each call creates a task');
select tasker.resume_schedule('test', 'hourly');
select is((select s.next_tick_at from tasker.schedules as s), '2026-03-01 13:00+00'::timestamptz, 'the next tick does not change');
select tasker_test.tick('50 minutes');
select is((select k.outcome from tasker_test.ticks as k where k.tick = '01 13:00'), 'skipped', 'the task counts as running for the next tick');

select tasker.retire_task_template('test', 'report', '0.1.0');
select throws_ok($$ select tasker.run_schedule_now('test', 'hourly') $$, 'TK410', 'template "test/report" version 0.1.0 is retired', 'the caller gets the error of the creation');
select throws_ok($$ select tasker.run_schedule_now('test', 'nothing') $$, 'TK404', 'schedule "test/nothing" does not exist', 'an unknown schedule is refused');

select * from finish();
rollback;
