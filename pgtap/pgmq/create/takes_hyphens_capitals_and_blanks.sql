begin;
select plan(6);

select pgmq.create('Tap-Order queue');
select has_table('pgmq'::name, 'q_tap-order queue'::name, 'the table''s name is in lower case');
select is((select q.queue_name::text from pgmq.list_queues() as q where q.queue_name ilike 'tap-order%'), 'Tap-Order queue', 'the queue''s name keeps its capitals');
select results_eq($$ select pgmq.send('Tap-Order queue', '1') $$, $$ values (1::bigint) $$, 'a message can be sent to the queue');
select results_eq($$ select r.msg_id from pgmq.read('Tap-Order queue', 0, 1) as r $$, $$ values (1::bigint) $$, 'a message can be read from it');
select ok(pgmq.archive('Tap-Order queue', 1), 'a message of it can be archived');
select ok(pgmq.drop_queue('Tap-Order queue'), 'the queue can be dropped');

select * from finish();
rollback;
