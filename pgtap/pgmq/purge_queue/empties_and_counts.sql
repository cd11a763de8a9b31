begin;
select plan(5);

select pgmq.create('tap_purge');
select is(pgmq.purge_queue('tap_purge'), 0::bigint, 'an empty queue returns 0');
select pgmq.send_batch('tap_purge', array['1', '2', '3']::jsonb[]);
select pgmq.archive('tap_purge', 1);
select msg_id from pgmq.read('tap_purge', 30, 1);
select is(pgmq.purge_queue('tap_purge'), 2::bigint, 'hidden messages are deleted, too');
select is((select count(*)::integer from pgmq.a_tap_purge), 1, 'archived messages stay');
select results_eq($$ select pgmq.send('tap_purge', '1') $$, $$ values (4::bigint) $$, 'the ids continue');
select throws_ok($$ select pgmq.purge_queue('tap_none') $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
