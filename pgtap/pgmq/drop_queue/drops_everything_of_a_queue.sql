begin;
select plan(9);

set local client_min_messages = error;
select pgmq.create('tap_drop');
select pgmq.bind_topic('tap.*', 'tap_drop');
select pgmq.enable_notify_insert('tap_drop');
select ok(pgmq.drop_queue('tap_drop'), 'drop_queue returns true for a queue');
select hasnt_table('pgmq'::name, 'q_tap_drop'::name, 'the queue''s table is dropped');
select hasnt_table('pgmq'::name, 'a_tap_drop'::name, 'its archive is dropped');
select is_empty($$ select from pgmq.list_queues() as q where q.queue_name = 'tap_drop' $$, 'list_queues no longer returns it');
select is_empty($$ select from pgmq.list_topic_bindings('tap_drop') $$, 'its bindings are deleted');
select is_empty($$ select from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_drop' $$, 'its throttle is deleted');
select ok(not pgmq.drop_queue('tap_drop'), 'drop_queue returns false for a dropped queue');
select ok(not pgmq.drop_queue(null), 'it returns false for null');
select pgmq.create('tap_drop');
select ok(pgmq.drop_queue('tap_drop', false), 'the deprecated form drops a queue, too');

select * from finish();
rollback;
