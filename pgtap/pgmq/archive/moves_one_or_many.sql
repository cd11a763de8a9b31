begin;
select plan(8);

select pgmq.create('tap_archive');
select pgmq.send('tap_archive', '{"n": 1}', '{"h": 1}'::jsonb);
select pgmq.send_batch('tap_archive', array['2', '3', '4']::jsonb[]);
select msg_id from pgmq.read('tap_archive', 30, 1);
select ok(pgmq.archive('tap_archive', 1), 'one that is there');
select ok(not pgmq.archive('tap_archive', 1), 'not twice');
select ok(not pgmq.archive('tap_archive', null::bigint), 'not null');
select results_eq($$ select * from pgmq.archive('tap_archive', array[1, 2, 2, 3, 99]::bigint[]) order by 1 $$, $$ values (2::bigint), (3) $$, 'those that are there');
select is_empty($$ select pgmq.archive('tap_archive', '{}'::bigint[]) $$, 'none');
select results_eq($$ select q.msg_id from pgmq.q_tap_archive as q $$, $$ values (4::bigint) $$, 'the rest stays');
select results_eq(
  $$ select a.msg_id, a.read_ct, a.message, a.headers, a.archived_at = now(), a.enqueued_at = now(), a.last_read_at is not null, a.vt > now() + interval '20 seconds' from pgmq.a_tap_archive as a order by a.msg_id limit 2 $$,
  $$ values (1::bigint, 1, '{"n": 1}'::jsonb, '{"h": 1}'::jsonb, true, true, true, true), (2, 0, '2', null, true, true, false, false) $$,
  'with all that was known of them'
);
select throws_ok($$ select pgmq.archive('tap_none', 1) $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
