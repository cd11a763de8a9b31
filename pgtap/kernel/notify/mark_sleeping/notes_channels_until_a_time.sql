begin;
select plan(4);

select tasker_test.freeze('2040-05-01 10:00:00+00');
create temporary view marks as
  select z.channel, z.until from tasker.sleepers as z where z.sleeper_uuid = '00000000-0000-4000-8000-000000000001';

select ok(
  tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap,pgmq_message_ready,tasker_steps_ready.tap}', 20),
  'it returns true while notifications are on'
);
select results_eq(
  $$ select m.channel, m.until from marks as m order by m.channel $$,
  $$ values ('pgmq_message_ready' collate "C", '2040-05-01 10:00:20+00'::timestamptz),
            ('tasker_steps_ready.tap', '2040-05-01 10:00:20+00') $$,
  'it marks each channel once'
);
select tasker_test.pass('10 seconds');
select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.tap}');
select results_eq(
  $$ select m.channel, m.until from marks as m order by m.channel $$,
  $$ values ('pgmq_message_ready' collate "C", '2040-05-01 10:00:20+00'::timestamptz),
            ('tasker_steps_ready.tap', '2040-05-01 10:00:40+00') $$,
  'a renewal marks its channel for 30 seconds and keeps the other mark'
);
select tasker_test.pass('51 seconds');
select tasker_test.pass('30 seconds');
select tasker.mark_sleeping('00000000-0000-4000-8000-000000000002', '{tasker_task_events}');
select is_empty($$ select from marks as m where m.channel = 'pgmq_message_ready' $$, 'the next client deletes marks that expired long ago');

select * from finish();
rollback;
