begin;
select plan(8);

select pgmq.create('tap_delete');
select pgmq.send_batch('tap_delete', array['1', '2', '3', '4']::jsonb[]);
select ok(pgmq.delete('tap_delete', 1), 'one that is there');
select ok(not pgmq.delete('tap_delete', 1), 'not twice');
select ok(not pgmq.delete('tap_delete', null::bigint), 'not null');
select results_eq($$ select * from pgmq.delete('tap_delete', array[1, 2, 2, 3, 99]::bigint[]) order by 1 $$, $$ values (2::bigint), (3) $$, 'those that are there');
select is_empty($$ select pgmq.delete('tap_delete', '{}'::bigint[]) $$, 'none');
select is_empty($$ select pgmq.delete('tap_delete', null::bigint[]) $$, 'null');
select results_eq($$ select q.msg_id from pgmq.q_tap_delete as q $$, $$ values (4::bigint) $$, 'the rest stays');
select throws_ok($$ select pgmq.delete('tap_none', 1) $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
