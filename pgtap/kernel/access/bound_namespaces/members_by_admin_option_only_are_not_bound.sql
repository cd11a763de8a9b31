begin;
select plan(2);

select tasker_test.freeze();
select from tasker.register_namespace('shop');
create role tap_admin login in role tasker_worker;
create role tap_bound;
select tasker.bind_role('tap_bound', '{shop}');
-- Before PostgreSQL 16 the admin option comes with membership, and so with the binding.
select current_setting('server_version_num')::integer >= 160000 as options \gset
\if :options
grant tap_bound to tap_admin with admin option, inherit false, set false;
\endif

set session authorization tap_admin;
select ok(tasker.bound_namespaces() is null, 'a role with only the admin option on a bound role is not bound');
reset session authorization;
\if :options
grant tap_bound to tap_admin with inherit true, set true;
\else
grant tap_bound to tap_admin;
\endif
set session authorization tap_admin;
select is(tasker.bound_namespaces(), '{shop}', 'a role that inherits from a bound role is bound');
reset session authorization;

select * from finish();
rollback;
