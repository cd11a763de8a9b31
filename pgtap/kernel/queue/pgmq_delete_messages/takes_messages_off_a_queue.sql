begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('worker_tap_queue');
create temporary table sent (msg_id) as
  select tasker.pgmq_send_batch_with_notify('worker_tap_queue', array['{"n": 1}', '{"n": 2}', '{"n": 3}']::jsonb[]);
grant select on sent to tasker_worker;
select tasker_test.call_as('tasker_worker', $$ select tasker.pgmq_delete_messages('worker_tap_queue', array(select msg_id from sent order by 1 limit 2)) $$);
select is((select q.queue_length from tasker.get_queue_statistics('worker_tap_queue') as q), 1::bigint, 'a worker deletes two of three messages');
select is_empty($$ select tasker.pgmq_delete_messages('worker_tap_queue', array(select msg_id from sent order by 1 limit 2)) $$, 'deleted messages are not returned again');
select set_eq(
  $$ select tasker.pgmq_delete_messages('worker_tap_queue', array(select msg_id from sent)) $$,
  'select max(msg_id) from sent', 'only messages that were in the queue are returned'
);
select is_empty($$ select tasker.pgmq_delete_messages('worker_tap_queue', null) $$, 'a null array returns no rows');
select throws_ok($$ select tasker.pgmq_delete_messages('tap_none', '{1}') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_delete_messages('q" --', '{1}') $$, 'TK422', '"q" --" is not a valid queue name', 'a hostile name is refused');

select * from finish();
rollback;
