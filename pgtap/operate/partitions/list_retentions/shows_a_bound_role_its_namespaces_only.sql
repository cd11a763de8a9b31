begin;
select plan(3);

select tasker.register_namespace('mine');
select tasker.register_namespace('yours');
select tasker.set_retention('mine', null, '1 year');
select tasker.set_retention('yours', null, '1 year');
select is((select count(*) from tasker.list_retentions()), 2::bigint, 'a role that is not bound sees all');
create role tap_operator in role tasker_operator;
select tasker.bind_role('tap_operator', '{mine}');
select is(
  tasker_test.call_as('tap_operator', 'select string_agg(r.namespace, $$,$$) from tasker.list_retentions() as r'), 'mine',
  'a bound role sees its namespaces'
);
select throws_ok(
  $$ select tasker_test.call_as('tap_operator', $q$select tasker.set_retention('yours', null, null)$q$) $$, 'TK403', 'role "tap_operator" may not work in namespace "yours"',
  'a bound role changes its namespaces only'
);

select * from finish();
rollback;
