begin;
select plan(12);

select tasker_test.freeze();
select count(*) from unnest('{shop,bank,post}'::text[]) as u (name) cross join lateral tasker.register_namespace(u.name);
create role tap_login login in role tasker_reader;
set session authorization tap_login;
select ok(tasker.bound_namespaces() is null, 'a role without a binding is not bound');

set local tasker.namespaces = 'shop, bank';
select is(tasker.bound_namespaces(), '{shop,bank}', 'the setting restricts the role to its namespaces');
select set_eq('select n.name from tasker.list_namespaces() as n', '{shop,bank}'::text[], 'list_namespaces shows only the namespaces of the setting');
select throws_ok(
  $$ select tasker.list_tasks('post') $$, 'TK403', 'role "tap_login" may not work in namespace "post"', 'a namespace outside the setting is refused'
);
set local tasker.namespaces = '*';
select ok(tasker.bound_namespaces() is null, 'a star restricts nothing');
set local tasker.namespaces = '';
select ok(tasker.bound_namespaces() is null, 'an empty setting, which a transaction-local one leaves behind, restricts nothing');
set local tasker.namespaces = '-';
select is(tasker.bound_namespaces(), '{}', 'a hyphen leaves no namespace');
reset session authorization;
select is(tasker.bound_namespaces(), '{}', 'a hyphen leaves a superuser no namespace either');

set local tasker.namespaces = '*';
select tasker.bind_role('tap_login', '{shop,post}');
set session authorization tap_login;
set local tasker.namespaces = 'shop,bank';
select is(tasker.bound_namespaces(), '{shop}', 'a bound role keeps the namespaces that binding and setting share');
set local tasker.namespaces = '*';
select is(tasker.bound_namespaces(), '{post,shop}', 'a star does not widen a binding');
set local tasker.namespaces = 'bank';
select is(tasker.bound_namespaces(), '{}', 'a namespace outside the binding does not widen it');
set local tasker.namespaces = ',"''; drop table';
select is(tasker.bound_namespaces(), '{}', 'a malformed setting does not widen a binding');

select * from finish();
rollback;
