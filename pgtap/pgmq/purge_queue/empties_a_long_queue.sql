begin;
select plan(3);

select pgmq.create('tap_purge_long');
select count(*) from pgmq.send_batch('tap_purge_long', array_fill('1'::jsonb, array[10001]));
select is(pgmq.purge_queue('tap_purge_long'), 10001::bigint, 'purge_queue deletes all messages');
select is_empty($$ select from pgmq.q_tap_purge_long $$, 'the queue is empty');

select is(current_setting('lock_timeout'), '0', 'lock_timeout has its previous value again');

select * from finish();
rollback;
