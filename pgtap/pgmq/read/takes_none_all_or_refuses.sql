begin;
select plan(6);

select pgmq.create('tap_qty');
select pgmq.send_batch('tap_qty', array['1', '2', '3']::jsonb[]);
select is_empty($$ select from pgmq.read('tap_qty', 30, 0) $$, 'none of them');
select throws_ok($$ select from pgmq.read('tap_qty', 30, -1) $$, '2201W', 'LIMIT must not be negative', 'fewer are refused');
select throws_ok($$ select from pgmq.read('tap_qty', null, 1) $$, '23502', null, 'and hiding for null seconds');
select results_eq($$ select r.msg_id from pgmq.read('tap_qty', 30, null) as r $$, $$ values (1::bigint), (2), (3) $$, 'null is all');
select throws_ok($$ select from pgmq.read('tap_none', 30, 1) $$, '42P01', null, 'a queue that does not exist');
select throws_ok($$ select from pgmq.read(null, 30, 1) $$, '22004', null, 'null for a queue');

select * from finish();
rollback;
