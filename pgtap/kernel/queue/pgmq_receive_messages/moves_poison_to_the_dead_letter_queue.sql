begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.ensure_task_queue('tap_receive_dead');
select tasker.pgmq_send_batch_with_notify(
  'tap_receive', array['"poison"', '"bad"', '"good"']::jsonb[], 0, array['{"message_id": "order-1", "h": "1"}', '7', null]::jsonb[]
);
select results_eq($$ select r.msg_id from tasker.pgmq_receive_messages('tap_receive', 2, 0, 2, 'tap_receive_dead') as r $$, $$ values (1::bigint), (2) $$, 'both messages are delivered once');
update pgmq.q_tap_receive set vt = vt - interval '1 hour' where msg_id < 3;
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 2, 0, 2, 'tap_receive_dead') as r $$, $$ values (1::bigint, 2), (2, 2) $$, 'both messages are delivered a second time');
update pgmq.q_tap_receive set vt = vt - interval '1 hour' where msg_id < 3;
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 1, 0, 2, 'tap_receive_dead') as r $$, $$ values (3::bigint, 1) $$, 'neither is delivered a third time, and the next message is delivered instead');
select results_eq($$ select p.msg_id from tasker.peek_queue('tap_receive') as p $$, $$ values (3::bigint) $$, 'both messages have left the queue');
select results_eq(
  $$ select p.message, p.headers, p.read_ct from tasker.peek_queue('tap_receive_dead') as p $$,
  $$ values ('"poison"'::jsonb, '{"message_id": "order-1", "h": "1"}'::jsonb, 0), ('"bad"', '{"message_id": "2"}', 0) $$,
  'the dead-letter queue has them with their headers, and with an id if they had none'
);
select tasker.set_setting('result_bytes', '100');
select pgmq.send('tap_receive', to_jsonb(repeat('x', 1000)));
update pgmq.q_tap_receive set read_ct = 9;
select is_empty($$ select from tasker.pgmq_receive_messages('tap_receive', 10, 0, 2, 'tap_receive_dead') $$, 'no message is returned when all are delivered too often');
select is((select s.queue_length from tasker.get_queue_statistics('tap_receive_dead') as s), 4::bigint, 'they are moved although they are larger than the current limit');
select is((select s.queue_length from tasker.get_queue_statistics('tap_receive') as s), 0::bigint, 'the queue is empty');

select * from finish();
rollback;
