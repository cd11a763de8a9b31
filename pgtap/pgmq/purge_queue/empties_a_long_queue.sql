begin;
select plan(3);

select pgmq.create('tap_purge_long');
select count(*) from pgmq.send_batch('tap_purge_long', array_fill('1'::jsonb, array[10001]));
select is(pgmq.purge_queue('tap_purge_long'), 10001::bigint, 'all');
select is_empty($$ select from pgmq.q_tap_purge_long $$, 'none is left');

select is(current_setting('lock_timeout'), '0', 'and later statements wait as before');

select * from finish();
rollback;
