begin;
select plan(7);

set local client_min_messages = error;
select pgmq.create('tap_drop');
select ok(pgmq.drop_queue('tap_drop'), 'drop_queue returns true for a queue');
select hasnt_table('pgmq'::name, 'q_tap_drop'::name, 'the queue''s table is dropped');
select hasnt_table('pgmq'::name, 'a_tap_drop'::name, 'its archive is dropped');
select is_empty($$ select from pgmq.list_queues() as q where q.queue_name = 'tap_drop' $$, 'list_queues no longer returns it');
select ok(not pgmq.drop_queue('tap_drop'), 'drop_queue returns false for a dropped queue');
select ok(not pgmq.drop_queue(null), 'it returns false for null');
select pgmq.create('tap_drop');
select ok(pgmq.drop_queue('tap_drop', false), 'the deprecated form drops a queue, too');

select * from finish();
rollback;
