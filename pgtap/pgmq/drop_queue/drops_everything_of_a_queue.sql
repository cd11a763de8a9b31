begin;
select plan(9);

set local client_min_messages = error;
select pgmq.create('tap_drop');
select pgmq.bind_topic('tap.*', 'tap_drop');
select pgmq.enable_notify_insert('tap_drop');
select ok(pgmq.drop_queue('tap_drop'), 'true');
select hasnt_table('pgmq'::name, 'q_tap_drop'::name, 'no queue');
select hasnt_table('pgmq'::name, 'a_tap_drop'::name, 'no archive');
select is_empty($$ select from pgmq.list_queues() as q where q.queue_name = 'tap_drop' $$, 'not listed');
select is_empty($$ select from pgmq.list_topic_bindings('tap_drop') $$, 'no binding');
select is_empty($$ select from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_drop' $$, 'no throttle');
select ok(not pgmq.drop_queue('tap_drop'), 'false the second time');
select ok(not pgmq.drop_queue(null), 'and for null');
select pgmq.create('tap_drop');
select ok(pgmq.drop_queue('tap_drop', false), 'the deprecated form drops as well');

select * from finish();
rollback;
