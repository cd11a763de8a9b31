begin;
select plan(5);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', '1'::jsonb);
select is_empty($$ select from pgmq.read_grouped('tap_groups', 0, 0) $$, 'a read of 0 messages returns nothing');
select is_empty($$ select from pgmq.read_grouped('tap_groups', 0, null) $$, 'a null number returns nothing');
select throws_ok($$ select from pgmq.read_grouped('tap_groups', 0, -1) $$, '2201W', 'LIMIT must not be negative', 'a negative number of messages is refused');
select throws_ok($$ select from pgmq.read_grouped('tap_groups', null, 1) $$, '23502', null, 'a null time is refused');
select throws_ok($$ select from pgmq.read_grouped('tap_none', 0, 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
