begin;
select plan(8);

select tasker_test.freeze('2040-05-01 10:00:00+00');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'announced');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'each time');
select is_empty($$ select from tasker.queue_notifications $$, 'without a trace');
select tasker.set_setting('queue_notify_throttle_ms', '5000');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'with a throttle: the first');
select ok(not tasker.notify_queue('tap_q', 'tap', 'x'), 'not the second');
select ok(tasker.notify_queue('tap_r', 'tap', 'x'), 'each queue for itself');
select tasker_test.pass('5 seconds');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'again after the interval');
select tasker.set_setting('notify', 'off');
select tasker_test.pass('1 hour');
select ok(not tasker.notify_queue('tap_q', 'tap', 'x'), 'switched off');

select * from finish();
rollback;
