begin;
select plan(8);

select pgmq.create('tap_delete');
select pgmq.send_batch('tap_delete', array['1', '2', '3', '4']::jsonb[]);
select ok(pgmq.delete('tap_delete', 1), 'delete returns true for a message of the queue');
select ok(not pgmq.delete('tap_delete', 1), 'it returns false for a deleted message');
select ok(not pgmq.delete('tap_delete', null::bigint), 'it returns false for null');
select results_eq($$ select * from pgmq.delete('tap_delete', array[1, 2, 2, 3, 99]::bigint[]) order by 1 $$, $$ values (2::bigint), (3) $$, 'it returns the ids that were in the queue');
select is_empty($$ select pgmq.delete('tap_delete', '{}'::bigint[]) $$, 'it returns nothing for an empty array');
select is_empty($$ select pgmq.delete('tap_delete', null::bigint[]) $$, 'it returns nothing for a null array');
select results_eq($$ select q.msg_id from pgmq.q_tap_delete as q $$, $$ values (4::bigint) $$, 'the other message stays in the queue');
select throws_ok($$ select pgmq.delete('tap_none', 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
