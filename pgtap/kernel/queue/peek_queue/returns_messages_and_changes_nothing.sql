begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_peek');
select tasker.pgmq_send_batch_with_notify('tap_peek', array['1', '2', '3']::jsonb[]);
select msg_id from tasker.pgmq_read_specific_message('tap_peek', 2);
select results_eq($$ select p.msg_id, p.message, p.read_ct from tasker.peek_queue('tap_peek') as p $$, $$ values (1::bigint, '1'::jsonb, 0), (2, '2', 1), (3, '3', 0) $$, 'hidden messages are returned, too');
select results_eq($$ select p.msg_id from tasker.peek_queue('tap_peek', 1, 1) as p $$, $$ values (2::bigint) $$, 'p_limit and p_after_msg_id select a page');
select results_eq($$ select p.read_ct from tasker.peek_queue('tap_peek', null, null) as p $$, $$ values (0), (1), (0) $$, 'peek_queue does not change the read counts');
select throws_ok($$ select tasker.peek_queue('tap_peek', 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');
select throws_ok($$ select tasker.peek_queue('tap_peek', 10001) $$, 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a limit of more than 10,000 is refused');
select throws_ok($$ select tasker.peek_queue('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');

select * from finish();
rollback;
