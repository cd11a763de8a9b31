begin;
select plan(4);

select tasker_test.take_turn();
select tasker.ensure_task_queue('worker_tap_queue');
select is(tasker.pgmq_send_with_notify('worker_tap_queue', '{"n": 1}'), 1::bigint, 'the id of the message is returned');
select is(tasker.pgmq_send_with_notify('worker_tap_queue', '{"n": 2}', 60), 2::bigint, 'a message can have a delay');
select is(tasker.pgmq_send_with_notify('worker_tap_queue', '{"n": 3}', null, '{"h": 3}'), 3::bigint, 'a message can have headers, and a null delay means none');
select results_eq(
  $$ select p.message ->> 'n', p.headers ->> 'h', p.vt <= clock_timestamp(), p.read_ct from tasker.peek_queue('worker_tap_queue') as p $$,
  $$ values ('1', null, true, 0), ('2', null, false, 0), ('3', '3', true, 0) $$,
  'the queue has the messages with their headers and delays'
);

select * from finish();
rollback;
