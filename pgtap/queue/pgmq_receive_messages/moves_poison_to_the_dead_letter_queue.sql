begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.ensure_task_queue('tap_receive_dead');
select tasker.pgmq_send_batch_with_notify(
  'tap_receive', array['"poison"', '"bad"', '"good"']::jsonb[], 0, array['{"message_id": "order-1", "h": "1"}', '7', null]::jsonb[]
);
select results_eq($$ select r.msg_id from tasker.pgmq_receive_messages('tap_receive', 2, 0, 2, 'tap_receive_dead') as r $$, $$ values (1::bigint), (2) $$, 'the first delivery of two');
update pgmq.q_tap_receive set vt = vt - interval '1 hour' where msg_id < 3;
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 2, 0, 2, 'tap_receive_dead') as r $$, $$ values (1::bigint, 2), (2, 2) $$, 'the second');
update pgmq.q_tap_receive set vt = vt - interval '1 hour' where msg_id < 3;
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 1, 0, 2, 'tap_receive_dead') as r $$, $$ values (3::bigint, 1) $$, 'there is no third, and the next message comes in their place');
select results_eq($$ select p.msg_id from tasker.peek_queue('tap_receive') as p $$, $$ values (3::bigint) $$, 'they have left the queue');
select results_eq(
  $$ select p.message, p.headers, p.read_ct from tasker.peek_queue('tap_receive_dead') as p $$,
  $$ values ('"poison"'::jsonb, '{"message_id": "order-1", "h": "1"}'::jsonb, 0), ('"bad"', '{"message_id": "2"}', 0) $$,
  'with their headers, and an id where they had none'
);
select tasker.set_setting('result_bytes', '100');
select pgmq.send('tap_receive', to_jsonb(repeat('x', 1000)));
update pgmq.q_tap_receive set read_ct = 9;
select is_empty($$ select from tasker.pgmq_receive_messages('tap_receive', 10, 0, 2, 'tap_receive_dead') $$, 'all that is left is poison');
select is((select s.queue_length from tasker.get_queue_statistics('tap_receive_dead') as s), 4::bigint, 'which moves, though it is larger than what may be sent today');
select is((select s.queue_length from tasker.get_queue_statistics('tap_receive') as s), 0::bigint, 'all of it');

select * from finish();
rollback;
