begin;
select plan(2);

set local client_min_messages = warning;
select pgmq.create('tap_throttle');
select pgmq.enable_notify_insert('tap_throttle', 60000);
update pgmq.notify_insert_throttle as t set last_notified_at = '2020-01-01 00:00:00+00' where t.queue_name = 'tap_throttle';
select pgmq.send('tap_throttle', '1'::jsonb);
create temporary table first as select t.last_notified_at from pgmq.notify_insert_throttle as t where t.queue_name = 'tap_throttle';
select ok((select f.last_notified_at > now() - interval '1 minute' from first as f), 'the first message sets the time of the last notification');
select pgmq.send('tap_throttle', '2'::jsonb);
select is((select t.last_notified_at from pgmq.notify_insert_throttle as t where t.queue_name = 'tap_throttle'), (select f.last_notified_at from first as f), 'a second message within the interval does not change it');

select * from finish();
rollback;
