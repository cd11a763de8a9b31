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
  'one that suits, for tokens of readers'
);
select matches(
  (select f.message from tasker.check_server_login() as f where f.name = 'roles of tokens'),
  '^tokens of these roles are refused: tasker_operator, tasker_orchestrator, tasker_submitter, tasker_worker$',
  'and which tokens it cannot serve'
);
reset role;
set session authorization tap_rich;
select is((select f.status from tasker.check_server_login() as f where f.name = 'inherited rights'), 'fail', 'one that inherits rights');
reset session authorization;
set session authorization tap_maker;
set local role tasker_server;
select is((select f.status from tasker.check_server_login() as f where f.name = 'login'), 'fail', 'one that may make roles');
reset role;
reset session authorization;
select matches((select f.message from tasker.check_server_login() as f where f.name = 'login'), 'is a superuser$', 'a superuser');

select * from finish();
rollback;
