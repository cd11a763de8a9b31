begin;
select plan(6);

select pgmq.create('tap_qty');
select pgmq.send_batch('tap_qty', array['1', '2', '3']::jsonb[]);
select is_empty($$ select from pgmq.read('tap_qty', 30, 0) $$, 'a read of 0 messages returns nothing');
select throws_ok($$ select from pgmq.read('tap_qty', 30, -1) $$, '2201W', 'LIMIT must not be negative', 'a negative number of messages is refused');
select throws_ok($$ select from pgmq.read('tap_qty', null, 1) $$, '23502', null, 'a null time is refused');
select results_eq($$ select r.msg_id from pgmq.read('tap_qty', 30, null) as r $$, $$ values (1::bigint), (2), (3) $$, 'a null number returns all messages');
select throws_ok($$ select from pgmq.read('tap_none', 30, 1) $$, '42P01', null, 'an unknown queue is refused');
select throws_ok($$ select from pgmq.read(null, 30, 1) $$, '22004', null, 'a null queue is refused');

select * from finish();
rollback;
