begin;
select plan(9);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();

select is(tasker_test.tick(), 0, 'a schedule does not tick before its time');
select is(tasker_test.tick('1 hour'), 1, 'a schedule ticks at its time');
select is(tasker_test.tick(), 0, 'a schedule ticks once');
select results_eq(
  'select t.initiator, t.source_system, t.context, t.headers, t.state::text from tasker.tasks as t',
  $$ values ('schedule hourly', 'schedule', '{"n": 1}'::jsonb, '{"schedule": "hourly", "tick": "2026-03-01T13:00:00Z"}'::jsonb, 'steps_in_process') $$,
  'the task says which schedule created it'
);
select results_eq(
  'select s.last_tick_at, s.next_tick_at, s.due_at, s.last_task_uuid, s.running_tasks from tasker.list_schedules() as s',
  $$ select '2026-03-01 13:00+00'::timestamptz, '2026-03-01 14:00+00'::timestamptz, '2026-03-01 14:00+00'::timestamptz, t.task_uuid, array[t.task_uuid] from tasker.tasks as t $$,
  'the schedule records the tick and its task'
);
select results_eq('select m.due_at from tasker.timers as m', array['2026-03-01 14:00+00'::timestamptz], 'the timer is due at the next tick');

-- A worker that asks for work finds the tick and its step in one call.
select tasker_test.pass('1 hour');
select is(
  (select count(*) from tasker.claim_steps('{test}', '01980000-0000-7000-8000-00000000000b', 10)), 2::bigint, 'a claim fires the tick and gets the task''s step'
);

-- The same tick again: a schedule whose row is lost its place finds its task by the identity.
update tasker.schedules set next_tick_at = '2026-03-01 14:00+00';
update tasker.timers set due_at = tasker.clock();
select tasker_test.tick();
select is((select count(*) from tasker.tasks), 2::bigint, 'a tick that is met again creates no second task');
select results_eq(
  'select k.tick, k.outcome, k.reason from tasker_test.ticks as k',
  $$ values ('01 13:00', 'made', null), ('01 14:00', 'made', null), ('01 14:00', 'made', 'had been made before') $$, 'the history says that the tick had been made before'
);

select * from finish();
rollback;
