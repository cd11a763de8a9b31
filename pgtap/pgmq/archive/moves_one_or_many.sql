begin;
select plan(8);

select pgmq.create('tap_archive');
select pgmq.send('tap_archive', '{"n": 1}', '{"h": 1}'::jsonb);
select pgmq.send_batch('tap_archive', array['2', '3', '4']::jsonb[]);
select msg_id from pgmq.read('tap_archive', 30, 1);
select ok(pgmq.archive('tap_archive', 1), 'archive returns true for a message of the queue');
select ok(not pgmq.archive('tap_archive', 1), 'it returns false for an archived message');
select ok(not pgmq.archive('tap_archive', null::bigint), 'it returns false for null');
select results_eq($$ select * from pgmq.archive('tap_archive', array[1, 2, 2, 3, 99]::bigint[]) order by 1 $$, $$ values (2::bigint), (3) $$, 'it returns the ids that were in the queue');
select is_empty($$ select pgmq.archive('tap_archive', '{}'::bigint[]) $$, 'it returns nothing for an empty array');
select results_eq($$ select q.msg_id from pgmq.q_tap_archive as q $$, $$ values (4::bigint) $$, 'the other message stays in the queue');
select results_eq(
  $$ select a.msg_id, a.read_ct, a.message, a.headers, a.archived_at = now(), a.enqueued_at = now(), a.last_read_at is not null, a.vt > now() + interval '20 seconds' from pgmq.a_tap_archive as a order by a.msg_id limit 2 $$,
  $$ values (1::bigint, 1, '{"n": 1}'::jsonb, '{"h": 1}'::jsonb, true, true, true, true), (2, 0, '2', null, true, true, false, false) $$,
  'the archive has every column of the messages'
);
select throws_ok($$ select pgmq.archive('tap_none', 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
