begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.pgmq_send_batch_with_notify('tap_receive', array['1', '2']::jsonb[]);
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive', 1, 0) as r $$, $$ values (1) $$, 'received');
select results_eq($$ select r.read_ct from tasker.pgmq_receive_messages('tap_receive', 10, 60) as r where r.msg_id = 1 $$, $$ values (2) $$, 'and by another receiver');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 1), false, 'the first comes too late');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, null), false, 'null is no delivery');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 2), true, 'the second does not');
select is(tasker.pgmq_acknowledge_message('tap_receive', 1, 2), false, 'once');

select * from finish();
rollback;
