begin;
select plan(5);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', '1'::jsonb);
select is_empty($$ select from pgmq.read_grouped('tap_groups', 0, 0) $$, 'none of them');
select is_empty($$ select from pgmq.read_grouped('tap_groups', 0, null) $$, 'null is none');
select throws_ok($$ select from pgmq.read_grouped('tap_groups', 0, -1) $$, '2201W', 'LIMIT must not be negative', 'fewer are refused');
select throws_ok($$ select from pgmq.read_grouped('tap_groups', null, 1) $$, '23502', null, 'and hiding for null seconds');
select throws_ok($$ select from pgmq.read_grouped('tap_none', 0, 1) $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
