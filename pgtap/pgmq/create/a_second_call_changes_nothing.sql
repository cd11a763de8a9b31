begin;
select plan(3);

select pgmq.create('tap_twice');
select pgmq.send('tap_twice', '1'::jsonb);
set local client_min_messages = warning;
select lives_ok($$ select pgmq.create('tap_twice') $$, 'a second call raises no error');
select is((select count(*)::integer from pgmq.list_queues() as q where q.queue_name = 'tap_twice'), 1, 'list_queues returns the queue once');
select is((select m.queue_length from pgmq.metrics('tap_twice') as m), 1::bigint, 'the queue keeps its message');

select * from finish();
rollback;
