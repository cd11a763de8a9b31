begin;
select plan(27);

select tasker_test.take_turn();
select tasker_test.open_shop();
create role test_bare;
create role test_super superuser;
create role test_owner_too;
grant tasker_owner to test_owner_too;
grant test_super to tasker_owner;
create role test_bound_operator;
grant tasker_operator to test_bound_operator;
select tasker.register_namespace('elsewhere');
select tasker.bind_role('test_bound_operator', '{test}');

select throws_ok($$ select tasker.bind_sql_role('test', 'test_bare') $$, 'TK403', 'SQL steps cannot run as role "test_bare": it has not been granted to tasker_owner', 'a role that nobody granted to the engine');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_super') $$, 'TK403', 'SQL steps cannot run as role "test_super": it is a superuser', 'a superuser');
select throws_ok($$ select tasker.bind_sql_role('test', 'tasker_owner') $$, 'TK403', 'SQL steps cannot run as role "tasker_owner": it is tasker_owner or its member', 'the engine''s owner');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_missing') $$, 'TK404', 'role "test_missing" does not exist', 'a role that is missing');
select throws_ok($$ select tasker.bind_sql_role('nowhere', 'test_bare') $$, 'TK404', 'namespace "nowhere" does not exist', 'a namespace that is missing');

-- pgtasker's own groups: tasker_owner would be a member of them, and their members would share what the functions may do.
create function pg_temp.tries_group(p_group text) returns setof text language plpgsql as $$
begin
  execute format('grant %I to tasker_owner', p_group);
  return next throws_ok(format('select tasker.bind_sql_role(''test'', %L)', p_group), 'TK403', format('SQL steps cannot run as role "%s": it is one of pgtasker''s groups, whose members would share the rights of the functions', p_group), p_group);
end;
$$;
select pg_temp.tries_group(u.name)
  from unnest('{tasker_submitter,tasker_worker,tasker_orchestrator,tasker_operator,tasker_reader,tasker_server,tasklib_submitter,tasklib_worker,tasklib_operator,tasklib_reader}'::text[]) as u (name);

-- Roles with rights over the server, of their own or of a role that they are members of.
create function pg_temp.tries_role(p_role text, p_problem text) returns setof text language plpgsql as $$
begin
  execute format('grant %I to tasker_owner', p_role);
  return next throws_ok(format('select tasker.bind_sql_role(''test'', %L)', p_role), 'TK403', format('SQL steps cannot run as role "%s": it %s', p_role, p_problem), p_role);
end;
$$;
create role test_creates_roles createrole;
create role test_replicates replication;
create role test_ignores_policies bypassrls;
create role test_has_super noinherit;
grant test_super to test_has_super;
create role test_writes_all;
grant pg_write_all_data to test_writes_all;
create role test_writes_too;
grant test_writes_all to test_writes_too;
select pg_temp.tries_role(u.name, 'has rights over the whole server: createrole, createdb, replication or bypassrls')
  from unnest('{test_creates_roles,test_replicates,test_ignores_policies}'::text[]) as u (name);
select pg_temp.tries_role('test_has_super', 'has the rights of "test_super", which reach beyond its own tables');
select pg_temp.tries_role('test_writes_all', 'has the rights of "pg_write_all_data", which reach beyond its own tables');
select pg_temp.tries_role('test_writes_too', 'has the rights of "pg_write_all_data", which reach beyond its own tables');

-- A member of a group may be bound: its functions may call what the group may.
create role test_submits;
grant tasker_submitter to test_submits;
grant test_submits to tasker_owner;
select is(tasker.bind_sql_role('elsewhere', 'test_submits'), true, 'a member of a group');
-- Rights that it is given later are reported.
alter role test_submits createrole;
select is(
  (select f.problem from tasker.list_sql_functions('elsewhere') as f),
  'role "test_submits" has rights over the whole server: createrole, createdb, replication or bypassrls: bind another', 'rights that a bound role gets later are found'
);

set local session authorization test_bound_operator;
select throws_ok($$ select tasker.bind_sql_role('elsewhere', 'test_shop_steps') $$, 'TK403', null::text, 'a bound operator elsewhere');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_shop_steps') $$, 'TK403', 'SQL steps cannot run as role "test_shop_steps": it is none that the caller, who is bound to namespaces, may act as', 'a bound operator for a role that is not its own');
reset session authorization;
select is(tasker.bind_sql_role('test', 'test_shop_steps'), false, 'the same role again changes nothing');
select results_eq(
  $$ select a.call, a.actor, a.reason from tasker.administration_log as a where a.kind = 'sql_roles' and a.reason = 'for the test' $$,
  $$ values ('bind_sql_role', 'an operator', 'for the test') $$, 'the log of administration has the binding, the name and the reason'
);

select * from finish();
rollback;
