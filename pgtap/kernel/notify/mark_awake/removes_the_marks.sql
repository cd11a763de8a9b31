begin;
select plan(4);

select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap,tasker_task_events}');
select tasker.mark_sleeping('00000000-0000-4000-8000-000000000002', '{tasker_steps_ready.tap}');

select ok(tasker.mark_awake('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap,tasker_steps_ready.other}'), 'it returns true if it removes a mark');
select ok(not tasker.mark_awake('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap}'), 'it returns false if there is no mark');
select ok(not tasker.mark_awake(null, null), 'it returns false for a null client');
select results_eq(
  $$ select z.channel, z.sleeper_uuid from tasker.sleepers as z
      where z.sleeper_uuid in ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002') order by 1, 2 $$,
  $$ values ('tasker_steps_ready.tap' collate "C", '00000000-0000-4000-8000-000000000002'::uuid),
            ('tasker_task_events', '00000000-0000-4000-8000-000000000001') $$,
  'other channels and other clients keep their marks'
);

select * from finish();
rollback;
