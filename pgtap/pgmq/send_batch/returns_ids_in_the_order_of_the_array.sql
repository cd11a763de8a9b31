begin;
select plan(8);

select pgmq.create('tap_batch');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['1', '2']::jsonb[]) $$, $$ values (1::bigint), (2) $$, 'messages can be sent');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['3', '4']::jsonb[], array['{"h": 3}', null]::jsonb[]) $$, $$ values (3::bigint), (4) $$, 'messages can be sent with headers');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['5']::jsonb[], 60) $$, $$ values (5::bigint) $$, 'messages can be sent with a delay');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['6']::jsonb[], '2040-01-01 00:00:00+00'::timestamptz) $$, $$ values (6::bigint) $$, 'messages can be sent with a time');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['7']::jsonb[], array['{"h": 7}']::jsonb[], 60) $$, $$ values (7::bigint) $$, 'messages can be sent with headers and a delay');
select results_eq($$ select * from pgmq.send_batch('tap_batch', array['8']::jsonb[], array['{"h": 8}']::jsonb[], '2040-01-01 00:00:00+00'::timestamptz) $$, $$ values (8::bigint) $$, 'messages can be sent with headers and a time');
select results_eq(
  $$ select q.msg_id, q.message::text, q.headers ->> 'h', q.vt <= clock_timestamp(), q.vt = '2040-01-01 00:00:00+00' from pgmq.q_tap_batch as q order by q.msg_id $$,
  $$ values (1::bigint, '1', null, true, false), (2, '2', null, true, false), (3, '3', '3', true, false), (4, '4', null, true, false),
            (5, '5', null, false, false), (6, '6', null, false, true), (7, '7', '7', false, false), (8, '8', '8', false, true) $$,
  'the rows have the messages, headers and times'
);
select is((select count(distinct q.vt)::integer from pgmq.q_tap_batch as q where q.msg_id in (1, 2)), 1, 'all messages of a batch become visible at the same time');

select * from finish();
rollback;
