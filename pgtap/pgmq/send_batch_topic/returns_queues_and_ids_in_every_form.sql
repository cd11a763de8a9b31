begin;
select plan(11);

select pgmq.create('tap_t1'), pgmq.create('tap_t2');
select pgmq.bind_topic('tap.*', 'tap_t1'), pgmq.bind_topic('tap.#', 'tap_t2');
select results_eq($$ select s.queue_name, s.msg_id from pgmq.send_batch_topic('tap.x', array['1', '2']::jsonb[]) as s order by 1, 2 $$, $$ values ('tap_t1', 1::bigint), ('tap_t1', 2), ('tap_t2', 1), ('tap_t2', 2) $$, 'messages are sent to each matching queue');
select results_eq($$ select s.msg_id from pgmq.send_batch_topic('tap.x.y', array['3']::jsonb[], array['{"h": 3}']::jsonb[]) as s $$, $$ values (3::bigint) $$, 'messages can be sent with headers');
select results_eq($$ select s.msg_id from pgmq.send_batch_topic('tap.x.y', array['4']::jsonb[], 60) as s $$, $$ values (4::bigint) $$, 'messages can be sent with a delay');
select results_eq($$ select s.msg_id from pgmq.send_batch_topic('tap.x.y', array['5']::jsonb[], '2040-01-01 00:00:00+00'::timestamptz) as s $$, $$ values (5::bigint) $$, 'messages can be sent with a time');
select results_eq($$ select s.msg_id from pgmq.send_batch_topic('tap.x.y', array['6']::jsonb[], array['{"h": 6}']::jsonb[], 60) as s $$, $$ values (6::bigint) $$, 'messages can be sent with headers and a delay');
select results_eq($$ select s.msg_id from pgmq.send_batch_topic('tap.x.y', array['7']::jsonb[], array['{"h": 7}']::jsonb[], '2040-01-01 00:00:00+00'::timestamptz) as s $$, $$ values (7::bigint) $$, 'messages can be sent with headers and a time');
select results_eq(
  $$ select q.message::text, q.headers ->> 'h', q.vt <= clock_timestamp() from pgmq.q_tap_t2 as q order by q.msg_id $$,
  $$ values ('1', null, true), ('2', null, true), ('3', '3', true), ('4', null, false), ('5', null, false), ('6', '6', false), ('7', '7', false) $$,
  'the rows have the messages, headers and delays'
);
select is_empty($$ select from pgmq.send_batch_topic('unmatched', array['1']::jsonb[]) $$, 'a key without a matching pattern sends nothing');
select throws_ok($$ select from pgmq.send_batch_topic('tap.x', '{}'::jsonb[]) $$, 'P0001', 'msgs cannot be NULL or empty', 'an empty array is refused');
select throws_ok($$ select from pgmq.send_batch_topic('', array['1']::jsonb[]) $$, 'P0001', 'routing_key cannot be NULL or empty', 'an empty key is refused');
select throws_ok($$ select from pgmq.send_batch_topic('tap.x', array['1']::jsonb[], array['{}', '{}']::jsonb[]) $$, 'P0001', 'headers array length (2) must match msgs array length (1)', 'headers that differ in number from the messages are refused');

select * from finish();
rollback;
