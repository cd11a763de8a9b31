begin;
select plan(12);

select tasker_test.freeze();
select count(*) from unnest('{shop,bank,post}'::text[]) as u (name) cross join lateral tasker.register_namespace(u.name);
create role tap_login login in role tasker_reader;
set session authorization tap_login;
select ok(tasker.bound_namespaces() is null, 'a role that is not bound');

set local tasker.namespaces = 'shop, bank';
select is(tasker.bound_namespaces(), '{shop,bank}', 'is kept to the namespaces of the setting');
select set_eq('select n.name from tasker.list_namespaces() as n', '{shop,bank}'::text[], 'sees them only');
select throws_ok(
  $$ select tasker.list_tasks('post') $$, 'TK403', 'role "tap_login" may not work in namespace "post"', 'and is refused others'
);
set local tasker.namespaces = '*';
select ok(tasker.bound_namespaces() is null, 'a star takes nothing away');
set local tasker.namespaces = '';
select ok(tasker.bound_namespaces() is null, 'so does an empty setting, which one that was local to a transaction leaves behind');
set local tasker.namespaces = '-';
select is(tasker.bound_namespaces(), '{}', 'a hyphen takes everything away');
reset session authorization;
select is(tasker.bound_namespaces(), '{}', 'from a superuser, too');

set local tasker.namespaces = '*';
select tasker.bind_role('tap_login', '{shop,post}');
set session authorization tap_login;
set local tasker.namespaces = 'shop,bank';
select is(tasker.bound_namespaces(), '{shop}', 'of a bound role what both allow is left');
set local tasker.namespaces = '*';
select is(tasker.bound_namespaces(), '{post,shop}', 'a star does not widen');
set local tasker.namespaces = 'bank';
select is(tasker.bound_namespaces(), '{}', 'nor does another namespace');
set local tasker.namespaces = ',"''; drop table';
select is(tasker.bound_namespaces(), '{}', 'nor what is no list');

select * from finish();
rollback;
