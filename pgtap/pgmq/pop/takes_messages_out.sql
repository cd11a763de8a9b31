begin;
select plan(7);

select pgmq.create('tap_pop');
select pgmq.send_batch('tap_pop', array['1', '2', '3', '4']::jsonb[]);
select results_eq($$ select p.msg_id, p.read_ct, p.message from pgmq.pop('tap_pop') as p $$, $$ values (1::bigint, 0, '1'::jsonb) $$, 'pop returns one message by default and does not count it as read');
select results_eq($$ select p.msg_id from pgmq.pop('tap_pop', 2) as p order by 1 $$, $$ values (2::bigint), (3) $$, 'it returns as many messages as requested');
select is_empty($$ select from pgmq.pop('tap_pop', 0) $$, 'it returns nothing for 0 messages');
select throws_ok($$ select from pgmq.pop('tap_pop', -1) $$, '2201W', 'LIMIT must not be negative', 'a negative number of messages is refused');
select pgmq.set_vt('tap_pop', 4, 30);
select is_empty($$ select from pgmq.pop('tap_pop', qty => 5) $$, 'a hidden message is not returned');
select results_eq($$ select q.msg_id from pgmq.q_tap_pop as q $$, $$ values (4::bigint) $$, 'the messages that were returned are deleted');
select throws_ok($$ select from pgmq.pop('tap_none') $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
