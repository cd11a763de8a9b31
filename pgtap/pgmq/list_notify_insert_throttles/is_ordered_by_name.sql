begin;
select plan(1);

set local client_min_messages = warning;
select pgmq.create('tap_n2'), pgmq.create('tap_n1');
select pgmq.enable_notify_insert('tap_n2', 2), pgmq.enable_notify_insert('tap_n1', 1);
select results_eq(
  $$ select t.queue_name, t.throttle_interval_ms from pgmq.list_notify_insert_throttles() as t where t.queue_name like 'tap\_n_' $$,
  $$ values ('tap_n1', 1), ('tap_n2', 2) $$, 'the throttles are listed by name, with their intervals'
);

select * from finish();
rollback;
