begin;
select plan(5);

create role tap_web login noinherit in role tasker_server, tasker_reader;
create role tap_rich login inherit in role tasker_server, tasker_reader;
create role tap_maker login noinherit createrole in role tasker_server, tasker_reader;

set session authorization tap_web;
set local role tasker_server;
select results_eq(
  $$ select f.name, f.status from tasker.check_server_login() as f $$,
  $$ values ('login', 'ok'), ('inherited rights', 'ok'), ('roles of tokens', 'warn') $$,
  'a login without inherited rights that is a member of tasker_reader has only a warning'
);
select matches(
  (select f.message from tasker.check_server_login() as f where f.name = 'roles of tokens'),
  '^tokens of these roles are refused: tasker_operator, tasker_orchestrator, tasker_submitter, tasker_worker$',
  'the warning lists the roles whose tokens are refused'
);
reset role;
set session authorization tap_rich;
select is((select f.status from tasker.check_server_login() as f where f.name = 'inherited rights'), 'fail', 'a login that inherits rights fails');
reset session authorization;
set session authorization tap_maker;
set local role tasker_server;
select is((select f.status from tasker.check_server_login() as f where f.name = 'login'), 'fail', 'a login with CREATEROLE fails');
reset role;
reset session authorization;
select matches((select f.message from tasker.check_server_login() as f where f.name = 'login'), 'is a superuser$', 'the message names a superuser');

select * from finish();
rollback;
