begin;
select plan(9);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();

select is(tasker.pause_schedule('test', 'hourly', 'ann'), true, 'pause_schedule returns true for a running schedule');
select is(tasker.pause_schedule('test', 'hourly'), false, 'pause_schedule returns false for a paused schedule');
select results_eq('select s.paused_by, s.due_at from tasker.schedules as s', $$ values ('ann', null::timestamptz) $$, 'a paused schedule names its actor and is not due');
select is(tasker_test.tick('3 hours 30 minutes'), 0, 'a paused schedule does not tick');
select results_eq($$ select r.tick_at from tasker.next_runs('test', 'hourly', 1) as r $$, array['2026-03-01 16:00+00'::timestamptz], 'next_runs returns the ticks that would follow a resumption now');
select is(tasker.resume_schedule('test', 'hourly'), true, 'resume_schedule returns true for a paused schedule');
select is(tasker.resume_schedule('test', 'hourly'), false, 'resume_schedule returns false for a running schedule');
select tasker_test.tick('30 minutes');
select results_eq('select k.tick, k.outcome from tasker_test.ticks as k', $$ values ('01 12:00', 'paused'), ('01 15:30', 'resumed'), ('01 16:00', 'made') $$, 'ticks during the pause are not made up for');
select throws_ok($$ select tasker.pause_schedule('test', 'nothing') $$, 'TK404', 'schedule "test/nothing" does not exist', 'an unknown schedule is refused');

select * from finish();
rollback;
