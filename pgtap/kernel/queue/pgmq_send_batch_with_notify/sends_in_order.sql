begin;
select plan(3);

select tasker_test.take_turn();
select tasker.ensure_task_queue('worker_tap_queue');
select results_eq($$ select * from tasker.pgmq_send_batch_with_notify('worker_tap_queue', array['1', '2']::jsonb[]) $$, $$ values (1::bigint), (2) $$, 'the ids of the messages are returned in order');
select results_eq($$ select * from tasker.pgmq_send_batch_with_notify('worker_tap_queue', array['3', '4']::jsonb[], 60, array['{"h": 3}', null]::jsonb[]) $$, $$ values (3::bigint), (4) $$, 'a batch can have a delay and headers');
select results_eq(
  $$ select p.message::text, p.headers ->> 'h', p.vt <= clock_timestamp() from tasker.peek_queue('worker_tap_queue') as p $$,
  $$ values ('1', null, true), ('2', null, true), ('3', '3', false), ('4', null, false) $$,
  'the queue has the messages with their headers and delays'
);

select * from finish();
rollback;
