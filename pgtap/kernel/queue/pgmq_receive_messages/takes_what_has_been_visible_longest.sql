begin;
select plan(7);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.pgmq_send_batch_with_notify('tap_receive', array['1', '2', '3', '4']::jsonb[], 0, array[null, '{"h": 2}', null, null]::jsonb[]);
select results_eq(
  $$ select r.msg_id, r.read_ct, r.message, r.headers, r.last_read_at is not null, r.vt - clock_timestamp() between interval '50 seconds' and interval '60 seconds' from tasker.pgmq_receive_messages('tap_receive', 2, 60) as r $$,
  $$ values (1::bigint, 1, '1'::jsonb, null::jsonb, true, true), (2, 1, '2', '{"h": 2}', true, true) $$, 'two of four messages are received, in the order of sending'
);
select results_eq(
  $$ select r.msg_id, r.vt - clock_timestamp() between interval '25 seconds' and interval '30 seconds' from tasker.pgmq_receive_messages('tap_receive', null, null) as r $$,
  $$ values (3::bigint, true) $$, 'null means one message and 30 seconds'
);
select results_eq($$ select r.msg_id from tasker.pgmq_receive_messages('tap_receive', 10, 30) as r $$, $$ values (4::bigint) $$, 'hidden messages are not received');
select is_empty($$ select from tasker.pgmq_receive_messages('tap_receive', 10, 30) $$, 'no message is left');
select tasker.pgmq_hide_message('tap_receive', 2, 1, 0);
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 0) as r $$, $$ values (2::bigint, 2) $$, 'a released message is received again');
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 0) as r $$, $$ values (2::bigint, 3) $$, 'a message that is hidden for 0 seconds stays visible');
select is(tasker_test.call_as('tasker_orchestrator', $$ select r.msg_id from tasker.pgmq_receive_messages('tap_receive') as r $$), '2', 'an orchestrator can receive messages');

select * from finish();
rollback;
