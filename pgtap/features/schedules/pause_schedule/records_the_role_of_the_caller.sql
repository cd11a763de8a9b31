begin;
select plan(4);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
set local role tasker_operator;
select tasker.pause_schedule('test', 'hourly', 'ann');
reset role;
select is(
  (select concat_ws(' ', s.paused_by, s.paused_login, s.paused_role) from tasker.schedules as s),
  format('ann %s tasker_operator', session_user), 'the schedule records the actor, the login and the role that was set'
);
set local role tasker_operator;
select tasker.resume_schedule('test', 'hourly');
reset role;
select results_eq(
  'select s.paused_by collate "C", s.paused_login, s.paused_role from tasker.schedules as s',
  $$ values (null::text, null::text, null::text) $$, 'a resumed schedule has no actor of a pause'
);
select results_eq(
  $$ select k.outcome, k.reason from tasker.list_schedule_ticks('test', 'hourly') as k order by k.tick_no $$,
  format(
    $$ values ('paused', 'by ann; logged in: %1$s; role: tasker_operator'), ('resumed', 'by tasker_operator; logged in: %1$s; role: tasker_operator') $$,
    session_user
  ),
  'the history keeps the actor and the role'
);
select is((select count(*) from tasker.list_schedule_ticks('test', 'hourly') where task_uuid is null), 2::bigint, 'entries of pauses have no task');

select * from finish();
rollback;
