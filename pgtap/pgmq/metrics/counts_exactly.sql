begin;
select plan(5);

select pgmq.create('tap_metrics');
select results_eq(
  $$ select m.queue_name, m.queue_length, m.newest_msg_age_sec, m.oldest_msg_age_sec, m.total_messages, m.queue_visible_length, m.scrape_time <= clock_timestamp() from pgmq.metrics('tap_metrics') as m $$,
  $$ values ('tap_metrics', 0::bigint, null::integer, null::integer, 0::bigint, 0::bigint, true) $$, 'an empty queue has no messages and no ages'
);
select pgmq.send_batch('tap_metrics', array['1', '2', '3', '4']::jsonb[]);
select pgmq.delete('tap_metrics', 2);
select msg_id from pgmq.read('tap_metrics', 30, 1);
update pgmq.q_tap_metrics as q set enqueued_at = now() - make_interval(secs => 100 - 10 * q.msg_id);
update pgmq.q_tap_metrics as q set vt = now() where q.read_ct = 0;
select results_eq(
  $$ select m.queue_length, m.newest_msg_age_sec - 60 between 0 and 5, m.oldest_msg_age_sec - 90 between 0 and 5, m.total_messages, m.queue_visible_length from pgmq.metrics('tap_metrics') as m $$,
  $$ values (3::bigint, true, true, 4::bigint, 2::bigint) $$, 'the visible messages are counted apart from the hidden one'
);
select is((select m.queue_name from pgmq.metrics('TAP_Metrics') as m), 'TAP_Metrics', 'the name is returned in the case of the call');
select throws_ok($$ select pgmq.metrics('tap_none') $$, '42P01', null, 'an unknown queue is refused');
select throws_ok($$ select pgmq.metrics(null) $$, '22004', null, 'a null queue is refused');

select * from finish();
rollback;
