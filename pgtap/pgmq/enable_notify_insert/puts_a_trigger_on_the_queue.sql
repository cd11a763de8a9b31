begin;
select plan(7);

set local client_min_messages = warning;
select pgmq.create('tap_notify');
select pgmq.enable_notify_insert('tap_notify');
select has_trigger('pgmq'::name, 'q_tap_notify'::name, 'trigger_notify_queue_insert_listeners'::name, 'the trigger has the name that pgmq gives it');
select results_eq(
  $$ select t.throttle_interval_ms, t.last_notified_at from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify' $$,
  $$ values (250, to_timestamp(0)) $$, 'the default throttle is 250 ms'
);
select pgmq.send('tap_notify', '1'::jsonb);
select ok((select t.last_notified_at > now() - interval '1 minute' from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify'), 'a message sets the time of the last notification');
select pgmq.enable_notify_insert('tap_notify', 0);
select results_eq(
  $$ select t.throttle_interval_ms, t.last_notified_at from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify' $$,
  $$ values (0, to_timestamp(0)) $$, 'a second call sets the interval and resets that time'
);
select throws_ok($$ select pgmq.enable_notify_insert('tap_notify', -1) $$, 'P0001', 'throttle_interval_ms must be non-negative', 'a negative interval is refused');
select throws_ok($$ select pgmq.enable_notify_insert('tap_none') $$, 'P0001', 'Queue "tap_none" does not exist. Create it first using pgmq.create()', 'an unknown queue is refused');
select throws_ok($$ select pgmq.enable_notify_insert(null) $$, 'P0001', 'Queue "<NULL>" does not exist. Create it first using pgmq.create()', 'a null queue is refused');

select * from finish();
rollback;
