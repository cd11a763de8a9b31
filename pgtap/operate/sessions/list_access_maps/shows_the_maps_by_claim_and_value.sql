begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');

set local role tasker_operator;
select results_eq(
  $$ select m.claim, m.value, m.role_name, m.namespaces from tasker.list_access_maps() as m $$,
  $$ values ('groups', 'shop-ops', 'tasker_operator', '{shop}'::text[]), ('groups', 'staff', 'tasker_reader', '{*}'::text[]) $$,
  'the maps are listed'
);
set local tasker.namespaces = 'shop';
select throws_ok($$ select tasker.list_access_maps() $$, 'TK403', 'role "tasker_operator" may not make calls that concern all namespaces', 'a bound caller is refused');

select * from finish();
rollback;
