begin;
select plan(6);

select tasker_test.freeze('2026-06-01 12:00Z');

select tasker.register_namespace('shipping', 'Shipping', 'pgmq');
select tasker_test.pass('1 hour');
select results_eq(
  $$ select n.description, n.transport, n.updated_at from tasker.register_namespace('shipping') as n $$,
  $$ values ('Shipping', 'pgmq', '2026-06-01 12:00Z'::timestamptz) $$,
  'nulls change nothing'
);
select results_eq(
  $$ select n.description, n.transport, n.updated_at from tasker.register_namespace('shipping', 'Shipping', 'pgmq') as n $$,
  $$ values ('Shipping', 'pgmq', '2026-06-01 12:00Z'::timestamptz) $$,
  'equal values change nothing'
);
select results_eq(
  $$ select n.description, n.transport, n.updated_at from tasker.register_namespace('shipping', p_transport => 'table') as n $$,
  $$ values ('Shipping', 'table', '2026-06-01 13:00Z'::timestamptz) $$,
  'given values are set'
);
update tasker.task_namespaces set paused_at = now(), paused_by = 'me' where name = 'shipping';
select isnt(
  (select n.paused_at from tasker.register_namespace('shipping', 'Other') as n), null,
  'a paused namespace stays paused'
);

select is((select n.notify from tasker.register_namespace('shipping', p_notify => 'asleep') as n), 'asleep', 'p_notify sets when to notify');
select is((select n.notify is null from tasker.register_namespace('shipping', p_notify => 'default') as n), true, 'the value "default" leaves that to the setting');
select * from finish();
rollback;
