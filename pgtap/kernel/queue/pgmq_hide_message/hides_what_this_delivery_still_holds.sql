begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.pgmq_send_with_notify('tap_receive', '1');
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive', 1, 60) as r $$, $$ values (1) $$, 'the message is received');
select is(tasker.pgmq_hide_message('tap_receive', 1, 1, 600), true, 'its delivery can hide it for longer');
select results_eq(
  $$ select p.vt - clock_timestamp() between interval '590 seconds' and interval '600 seconds' from tasker.peek_queue('tap_receive') as p $$, $$ values (true) $$,
  'the time counts from now'
);
select is(tasker.pgmq_hide_message('tap_receive', 1, 1, 0), true, 'its delivery can release it');
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive') as r $$, $$ values (2) $$, 'the message is delivered again');
select is(tasker.pgmq_hide_message('tap_receive', 1, 1, 0), false, 'the first delivery cannot hide it any longer');

select * from finish();
rollback;
