begin;
select plan(4);

select pgmq.create('tap_read');
select pgmq.send_batch('tap_read', array['{"n": 1}', '{"n": 2}', '{"n": 3}']::jsonb[]);
select results_eq(
  $$ select r.msg_id, r.read_ct, r.message, r.headers, r.last_read_at <= clock_timestamp(), r.vt - r.last_read_at between interval '29.9 seconds' and interval '30.1 seconds' from pgmq.read('tap_read', 30, 2) as r $$,
  $$ values (1::bigint, 1, '{"n": 1}'::jsonb, null::jsonb, true, true), (2, 1, '{"n": 2}', null, true, true) $$,
  'the first two messages are returned as the read has changed them'
);
select results_eq($$ select r.msg_id from pgmq.read('tap_read', 30, 2) as r $$, $$ values (3::bigint) $$, 'the third message is returned next');
select is_empty($$ select from pgmq.read('tap_read', 30, 2) $$, 'no message is left');
select is((select m.queue_length from pgmq.metrics('tap_read') as m), 3::bigint, 'all messages are still in the queue');

select * from finish();
rollback;
