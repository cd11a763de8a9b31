begin;
select plan(1);

select tasker_test.take_turn();
select tasker.ensure_task_queue('Tap-Queue');
select tasker.pgmq_send_with_notify('Tap-Queue', '1');
select results_eq($$ select r.msg_id from tasker.pgmq_read_specific_message('Tap-Queue', 1) as r $$, $$ values (1::bigint) $$, 'a name with a hyphen and capitals works');

select * from finish();
rollback;
