begin;
select plan(11);

select pgmq.create('tap_vt');
select pgmq.send_batch('tap_vt', array['1', '2', '3']::jsonb[]);
select results_eq($$ select v.msg_id, v.read_ct, v.last_read_at is null, v.vt > clock_timestamp() + interval '50 seconds' from pgmq.set_vt('tap_vt', 1, 60) as v $$, $$ values (1::bigint, 0, true, true) $$, 'one message is hidden for seconds');
select results_eq($$ select v.msg_id, v.vt from pgmq.set_vt('tap_vt', 1, '2040-01-01 00:00:00+00'::timestamptz) as v $$, $$ values (1::bigint, '2040-01-01 00:00:00+00'::timestamptz) $$, 'one message is hidden until a time');
select results_eq($$ select v.msg_id from pgmq.set_vt('tap_vt', array[2, 3, 99]::bigint[], 60) as v order by 1 $$, $$ values (2::bigint), (3) $$, 'the messages of an array are hidden for seconds');
select is_empty($$ select from pgmq.read('tap_vt', 0, 10) $$, 'all messages are hidden');
select results_eq($$ select v.msg_id from pgmq.set_vt('tap_vt', array[2, 3]::bigint[], '2020-01-01 00:00:00+00'::timestamptz) as v order by 1 $$, $$ values (2::bigint), (3) $$, 'the messages of an array are hidden until a time');
select results_eq($$ select r.msg_id from pgmq.read('tap_vt', 0, 10) as r order by 1 $$, $$ values (2::bigint), (3) $$, 'messages with a past time are visible again');
select is_empty($$ select from pgmq.set_vt('tap_vt', 99, 1) $$, 'an unknown message returns nothing');
select is_empty($$ select from pgmq.set_vt('tap_vt', null::bigint, 1) $$, 'a null message returns nothing');
select is_empty($$ select from pgmq.set_vt('tap_vt', '{}'::bigint[], 1) $$, 'an empty array returns nothing');
select throws_ok($$ select from pgmq.set_vt('tap_vt', 1, null::integer) $$, '23502', null, 'a null time is refused');
select throws_ok($$ select from pgmq.set_vt('tap_none', 1, 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
