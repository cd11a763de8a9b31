begin;
select plan(5);

set local client_min_messages = warning;
select pgmq.create('tap_notify');
select throws_ok($$ select pgmq.update_notify_insert('tap_notify', 5) $$, 'P0001', 'Queue "tap_notify" does not have notify_insert enabled. Enable it first using pgmq.enable_notify_insert()', 'a queue without notifications is refused');
select pgmq.enable_notify_insert('tap_notify');
select pgmq.update_notify_insert('tap_notify', 5);
select is((select t.throttle_interval_ms from pgmq.list_notify_insert_throttles() as t where t.queue_name = 'tap_notify'), 5, 'the interval is changed');
select throws_ok($$ select pgmq.update_notify_insert('tap_notify', -5) $$, 'P0001', 'throttle_interval_ms must be non-negative, got: -5', 'a negative interval is refused');
select throws_ok($$ select pgmq.update_notify_insert('tap_notify', null) $$, '23502', null, 'a null interval is refused');
select throws_ok($$ select pgmq.update_notify_insert('tap_none', 5) $$, 'P0001', 'Queue "tap_none" does not exist. Create the queue first using pgmq.create()', 'an unknown queue is refused');

select * from finish();
rollback;
