begin;
select plan(4);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_stats');
select results_eq($$ select s.* from tasker.get_queue_statistics('tap_stats') as s $$, $$ values ('tap_stats', 0::bigint, null::integer, null::integer, 0::bigint, null::integer, 0::bigint) $$, 'an empty queue has no messages and no ages');
select tasker.pgmq_send_batch_with_notify('tap_stats', array['1', '2', '3', '4']::jsonb[]);
select pgmq.delete('tap_stats', 4);
update pgmq.q_tap_stats as q set enqueued_at = now() - make_interval(secs => 1000 - 100 * q.msg_id), vt = now() - make_interval(secs => 100 * q.msg_id);
select pgmq.set_vt('tap_stats', 3, 60);
select results_eq(
  $$ select s.queue_length, s.oldest_msg_age_seconds between 900 and 910, s.newest_msg_age_seconds between 700 and 710, s.visible_length, s.oldest_visible_age_seconds between 200 and 210, s.total_messages from tasker.get_queue_statistics('tap_stats') as s $$,
  $$ values (3::bigint, true, true, 2::bigint, true, 4::bigint) $$, 'the visible messages are counted apart from the hidden one'
);
select throws_ok($$ select tasker.get_queue_statistics('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.get_queue_statistics('') $$, 'TK422', '"" is not a valid queue name', 'an empty name is refused');

select * from finish();
rollback;
