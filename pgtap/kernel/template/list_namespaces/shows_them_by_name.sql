begin;
select plan(1);

select tasker_test.take_turn();

select tasker.register_namespace('zebra');
select tasker.register_namespace('ant');
select results_eq(
  $$ select n.name, n.transport, n.paused_at is null from tasker.list_namespaces() as n where n.name in ('zebra', 'ant') $$,
  $$ values ('ant', 'table', true), ('zebra', 'table', true) $$, 'namespaces are listed by name with their modes'
);

select * from finish();
rollback;
