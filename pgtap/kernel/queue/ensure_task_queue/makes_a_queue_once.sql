begin;
select plan(7);

select tasker_test.take_turn();
select ok(tasker.ensure_task_queue('tap_ensured'), 'ensure_task_queue returns true');
select has_table('pgmq'::name, 'q_tap_ensured'::name, 'the queue''s table is created');
select has_column('pgmq'::name, 'q_tap_ensured'::name, 'headers'::name, 'the table has a headers column');
select has_column('pgmq'::name, 'a_tap_ensured'::name, 'headers'::name, 'the archive has a headers column');
select tasker.pgmq_send_with_notify('tap_ensured', '1');
select ok(tasker.ensure_task_queue('tap_ensured'), 'a second call returns true');
select is((select q.queue_length from tasker.get_queue_statistics('tap_ensured') as q), 1::bigint, 'a second call keeps the messages');
select results_eq($$ select q.queue_name::text from pgmq.list_queues() as q where q.queue_name = 'tap_ensured' $$, $$ values ('tap_ensured') $$, 'pgmq.list_queues returns the queue');

select * from finish();
rollback;
