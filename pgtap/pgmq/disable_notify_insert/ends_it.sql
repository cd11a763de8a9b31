begin;
select plan(4);

set local client_min_messages = warning;
select pgmq.create('tap_notify');
select lives_ok($$ select pgmq.disable_notify_insert('tap_notify') $$, 'one that was not begun');
select pgmq.enable_notify_insert('tap_notify');
select pgmq.disable_notify_insert('tap_notify');
select hasnt_trigger('pgmq'::name, 'q_tap_notify'::name, 'trigger_notify_queue_insert_listeners'::name, 'no trigger');
select is_empty($$ select from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify' $$, 'no throttle');
select lives_ok($$ select pgmq.disable_notify_insert('tap_none') $$, 'a queue that does not exist');

select * from finish();
rollback;
