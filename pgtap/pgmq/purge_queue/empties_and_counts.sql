begin;
select plan(5);

select pgmq.create('tap_purge');
select is(pgmq.purge_queue('tap_purge'), 0::bigint, 'none');
select pgmq.send_batch('tap_purge', array['1', '2', '3']::jsonb[]);
select pgmq.archive('tap_purge', 1);
select msg_id from pgmq.read('tap_purge', 30, 1);
select is(pgmq.purge_queue('tap_purge'), 2::bigint, 'all, hidden ones too');
select is((select count(*)::integer from pgmq.a_tap_purge), 1, 'the archive stays');
select results_eq($$ select pgmq.send('tap_purge', '1') $$, $$ values (4::bigint) $$, 'ids go on');
select throws_ok($$ select pgmq.purge_queue('tap_none') $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
