begin;
select plan(8);

select tasker_test.freeze('2040-05-01 10:00:00+00');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'a notification is sent');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'another notification is sent at once');
select is_empty($$ select from tasker.queue_notifications $$, 'no row is written without a throttle');
select tasker.set_setting('queue_notify_throttle_ms', '5000');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'the first notification is sent with a throttle');
select ok(not tasker.notify_queue('tap_q', 'tap', 'x'), 'a second notification is not sent within the interval');
select ok(tasker.notify_queue('tap_r', 'tap', 'x'), 'each queue has an interval of its own');
select tasker_test.pass('5 seconds');
select ok(tasker.notify_queue('tap_q', 'tap', 'x'), 'a notification is sent again after the interval');
select tasker.set_setting('notify', 'off');
select tasker_test.pass('1 hour');
select ok(not tasker.notify_queue('tap_q', 'tap', 'x'), 'no notification is sent when notifications are off');

select * from finish();
rollback;
