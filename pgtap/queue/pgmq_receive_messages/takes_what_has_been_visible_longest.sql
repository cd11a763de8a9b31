begin;
select plan(7);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.pgmq_send_batch_with_notify('tap_receive', array['1', '2', '3', '4']::jsonb[], 0, array[null, '{"h": 2}', null, null]::jsonb[]);
select results_eq(
  $$ select r.msg_id, r.read_ct, r.message, r.headers, r.last_read_at is not null, r.vt - clock_timestamp() between interval '50 seconds' and interval '60 seconds' from tasker.pgmq_receive_messages('tap_receive', 2, 60) as r $$,
  $$ values (1::bigint, 1, '1'::jsonb, null::jsonb, true, true), (2, 1, '2', '{"h": 2}', true, true) $$, 'two of four, in the order of sending'
);
select results_eq(
  $$ select r.msg_id, r.vt - clock_timestamp() between interval '25 seconds' and interval '30 seconds' from tasker.pgmq_receive_messages('tap_receive', null, null) as r $$,
  $$ values (3::bigint, true) $$, 'null is one message and 30 seconds'
);
select results_eq($$ select r.msg_id from tasker.pgmq_receive_messages('tap_receive', 10, 30) as r $$, $$ values (4::bigint) $$, 'those that are hidden are not taken');
select is_empty($$ select from tasker.pgmq_receive_messages('tap_receive', 10, 30) $$, 'none is left');
select tasker.pgmq_hide_message('tap_receive', 2, 1, 0);
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 0) as r $$, $$ values (2::bigint, 2) $$, 'what was given back comes again');
select results_eq($$ select r.msg_id, r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 0) as r $$, $$ values (2::bigint, 3) $$, 'what is hidden for no time stays');
select results_eq($$ select tasker_test.call_as('tasker_orchestrator', 'select from tasker.pgmq_receive_messages(''tap_receive'')') is null $$, $$ values (true) $$, 'an orchestrator may');

select * from finish();
rollback;
