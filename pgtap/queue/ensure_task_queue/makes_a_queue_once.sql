begin;
select plan(7);

select tasker_test.take_turn();
select ok(tasker.ensure_task_queue('tap_ensured'), 'true');
select has_table('pgmq'::name, 'q_tap_ensured'::name, 'it is there');
select has_column('pgmq'::name, 'q_tap_ensured'::name, 'headers'::name, 'with headers');
select has_column('pgmq'::name, 'a_tap_ensured'::name, 'headers'::name, 'so has the archive');
select tasker.pgmq_send_with_notify('tap_ensured', '1');
select ok(tasker.ensure_task_queue('tap_ensured'), 'true again');
select is((select q.queue_length from tasker.get_queue_statistics('tap_ensured') as q), 1::bigint, 'and the message is still there');
select results_eq($$ select q.queue_name::text from pgmq.list_queues() as q where q.queue_name = 'tap_ensured' $$, $$ values ('tap_ensured') $$, 'pgmq lists it');

select * from finish();
rollback;
