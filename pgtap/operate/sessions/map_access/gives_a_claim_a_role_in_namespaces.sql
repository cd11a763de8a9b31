begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_namespace('shop');
set local role tasker_operator;
select results_eq(
  $$ select m.claim, m.value, m.role_name, m.namespaces, m.updated_by from tasker.map_access('groups', 'staff') as m $$,
  $$ values ('groups', 'staff', 'tasker_reader', '{*}'::text[], 'tasker_operator') $$,
  'map_access gives a reader of all namespaces by default'
);
select results_eq(
  $$ select m.role_name, m.namespaces from tasker.map_access('groups', 'staff', 'tasker_operator', '{shop,shop}') as m $$,
  $$ values ('tasker_operator', '{shop}'::text[]) $$,
  'map_access replaces the map of this claim and value'
);
select is((select count(*) from tasker.list_access_maps()), 1::bigint, 'there is one map');
select results_eq(
  $$ select l.action, l.role, l.becomes ->> 'role' from tasker.list_administration(p_kind => 'access_maps') as l order by l.entry_no $$,
  $$ values ('insert', 'tasker_operator', 'tasker_reader'), ('update', 'tasker_operator', 'tasker_operator') $$,
  'the log of administration has both changes'
);
set local tasker.namespaces = 'shop';
select throws_ok($$ select tasker.map_access('groups', 'staff') $$, 'TK403', 'role "tasker_operator" may not make calls that concern all namespaces', 'a bound caller is refused');
reset tasker.namespaces;
reset role;
select is_empty($$ select * from tasker.check_integrity() $$, 'the log of administration agrees');

select * from finish();
rollback;
