begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.pgmq_send_batch_with_notify('tap_receive', array['1', '2']::jsonb[]);
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive', 1, 0) as r $$, $$ values (1) $$, 'the message is received once');
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 60) as r where r.msg_id = 1 $$, $$ values (2) $$, 'another receiver gets the same message');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 1), false, 'the first delivery cannot acknowledge the message');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, null), false, 'a null delivery cannot acknowledge it');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 2), true, 'the second delivery acknowledges it');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 2), false, 'it cannot be acknowledged twice');

select * from finish();
rollback;
