begin;
select plan(4);

select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap,tasker_task_events}');
select tasker.mark_sleeping('00000000-0000-4000-8000-000000000002', '{tasker_steps_ready.tap}');

select ok(tasker.mark_awake('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap,tasker_steps_ready.other}'), 'there was one');
select ok(not tasker.mark_awake('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap}'), 'now there is none');
select ok(not tasker.mark_awake(null, null), 'nor is there one of nobody');
select results_eq(
  $$ select z.channel, z.sleeper_uuid from tasker.sleepers as z
      where z.sleeper_uuid in ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002') order by 1, 2 $$,
  $$ values ('tasker_steps_ready.tap' collate "C", '00000000-0000-4000-8000-000000000002'::uuid),
            ('tasker_task_events', '00000000-0000-4000-8000-000000000001') $$,
  'other channels and other clients stay marked'
);

select * from finish();
rollback;
