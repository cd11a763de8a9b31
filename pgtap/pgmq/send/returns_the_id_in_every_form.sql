begin;
select plan(11);

select pgmq.create('tap_send');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 1}') $$, $$ values (1::bigint) $$, 'a message can be sent');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 2}', '{"h": 2}'::jsonb) $$, $$ values (2::bigint) $$, 'a message can be sent with headers');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 3}', 60) $$, $$ values (3::bigint) $$, 'a message can be sent with a delay');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 4}', '2040-01-01 00:00:00+00'::timestamptz) $$, $$ values (4::bigint) $$, 'a message can be sent with a time');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 5}', '{"h": 5}'::jsonb, 60) $$, $$ values (5::bigint) $$, 'a message can be sent with headers and a delay');
select results_eq($$ select * from pgmq.send('tap_send', '{"n": 6}', '{"h": 6}'::jsonb, '2040-01-01 00:00:00+00'::timestamptz) $$, $$ values (6::bigint) $$, 'a message can be sent with headers and a time');
select results_eq($$ select send from pgmq.send(queue_name => 'tap_send', msg => '{"n": 7}', headers => '{"h": 7}', delay => 0) $$, $$ values (7::bigint) $$, 'the arguments and the result have the names of pgmq');
select results_eq(
  $$ select q.msg_id, q.message ->> 'n', q.headers ->> 'h', q.read_ct, q.enqueued_at = now(), q.last_read_at is null from pgmq.q_tap_send as q order by q.msg_id $$,
  $$ values (1::bigint, '1', null, 0, true, true), (2, '2', '2', 0, true, true), (3, '3', null, 0, true, true), (4, '4', null, 0, true, true),
            (5, '5', '5', 0, true, true), (6, '6', '6', 0, true, true), (7, '7', '7', 0, true, true) $$,
  'the rows have the messages and headers'
);
select results_eq(
  $$ select q.msg_id from pgmq.q_tap_send as q where q.vt <= clock_timestamp() order by q.msg_id $$,
  $$ values (1::bigint), (2), (7) $$, 'a message without a delay is visible at once'
);
select results_eq(
  $$ select q.msg_id from pgmq.q_tap_send as q where q.vt between clock_timestamp() + interval '50 seconds' and clock_timestamp() + interval '60 seconds' order by q.msg_id $$,
  $$ values (3::bigint), (5) $$, 'a message with a delay is hidden for that time'
);
select results_eq(
  $$ select q.msg_id from pgmq.q_tap_send as q where q.vt = '2040-01-01 00:00:00+00' order by q.msg_id $$,
  $$ values (4::bigint), (6) $$, 'a message with a time is hidden until then'
);

select * from finish();
rollback;
