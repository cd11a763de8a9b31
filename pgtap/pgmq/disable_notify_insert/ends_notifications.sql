begin;
select plan(4);

set local client_min_messages = warning;
select pgmq.create('tap_notify');
select lives_ok($$ select pgmq.disable_notify_insert('tap_notify') $$, 'a queue without notifications raises no error');
select pgmq.enable_notify_insert('tap_notify');
select pgmq.disable_notify_insert('tap_notify');
select hasnt_trigger('pgmq'::name, 'q_tap_notify'::name, 'trigger_notify_queue_insert_listeners'::name, 'the trigger is dropped');
select is_empty($$ select from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify' $$, 'the throttle is deleted');
select lives_ok($$ select pgmq.disable_notify_insert('tap_none') $$, 'an unknown queue raises no error');

select * from finish();
rollback;
