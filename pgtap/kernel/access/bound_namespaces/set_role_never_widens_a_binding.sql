begin;
select plan(15);

select tasker_test.freeze();
select count(*) from unnest('{shop,bank,post}'::text[]) as u (name) cross join lateral tasker.register_namespace(u.name);
create role tap_login login in role tasker_worker;
create role tap_team in role tasker_worker;
create role tap_member login in role tap_team, tasker_worker;
create role tap_other login in role tasker_worker;
select is(tasker.bind_role('tap_login', '{shop}'), 1, 'a role is bound');
select is(tasker.bind_role('tap_team', '{shop,bank}'), 2, 'a group is bound');

set session authorization tap_login;
select is(tasker.bound_namespaces(), '{shop}', 'the login role is bound');
set local role tasker_worker;
select is(tasker.bound_namespaces(), '{shop}', 'SET ROLE to a group without a binding keeps the binding');
select throws_ok(
  $$ select tasker.claim_steps('{bank}', gen_random_uuid()) $$, 'TK403', 'role "tasker_worker" may not work in namespace "bank"', 'SET ROLE to a group does not allow a claim in another namespace'
);
reset role;
set session authorization tap_member;
select is(tasker.bound_namespaces(), '{bank,shop}', 'a member is bound as its group is');
reset session authorization;
select is(tasker.bind_role('tap_member', '{post}'), 1, 'the member is bound itself');
set session authorization tap_member;
select is(tasker.bound_namespaces(), '{bank,post,shop}', 'the member has its own namespaces and those of its group');
set local role tap_team;
select is(tasker.bound_namespaces(), '{bank,shop}', 'SET ROLE to the group leaves the namespaces of the group');
reset role;
set session authorization tap_other;
select ok(tasker.bound_namespaces() is null, 'another role is not bound');
reset session authorization;
select ok(tasker.bound_namespaces() is null, 'a superuser is not bound');

alter role tap_login rename to tap_renamed;
set session authorization tap_renamed;
select is(tasker.bound_namespaces(), '{shop}', 'a renamed role stays bound');
reset session authorization;
create role tap_login login in role tasker_worker;
set session authorization tap_login;
select ok(tasker.bound_namespaces() is null, 'a new role of the old name is another role');
reset session authorization;
set session authorization tap_renamed;
select is(tasker.bound_namespaces(), '{shop}', 'and takes nothing from the renamed one');
set local role tasker_worker;
select throws_ok(
  $$ select tasker.claim_steps('{bank}', gen_random_uuid()) $$, 'TK403', 'role "tasker_worker" may not work in namespace "bank"', 'SET ROLE does not lift the restriction of a renamed role, either'
);
reset role;
reset session authorization;

select * from finish();
rollback;
