begin;
select plan(4);

select tasker_test.take_turn();

select results_eq(
  $$ select n.name, n.description, n.transport, n.priority_modifier, n.paused_at
       from tasker.register_namespace('shipping') as n $$,
  $$ values ('shipping', null::text, 'table', 0::numeric, null::timestamptz) $$,
  'a name is enough'
);
select is(
  (select n.task_namespace_uuid from tasker.register_namespace('shipping') as n),
  (select n.task_namespace_uuid from tasker.task_namespaces as n where n.name = 'shipping'),
  'a second registration returns the same namespace'
);
select is((select count(*) from tasker.task_namespaces as n where n.name = 'shipping'), 1::bigint, 'one namespace exists');
select results_eq(
  $$ select n.transport, n.priority_modifier
       from tasker.register_namespace('parcels', 'Parcels', 'pgmq', -2.5) as n $$,
  $$ values ('pgmq', -2.5) $$,
  'all values can be given at once'
);

select * from finish();
rollback;
