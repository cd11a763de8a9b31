begin;
select plan(3);

select is(
  (select status from tasker.check_installation() where name = 'roles'), 'ok',
  'the finding is ok if all roles exist'
);

alter role tasker_reader login;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'roles' $$,
  $$ values ('warn', 'a role may log in or is a superuser: tasker_reader') $$,
  'a role that may log in is a warning'
);
alter role tasker_reader nologin;

alter role tasker_reader rename to tasker_reader_gone;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'roles' $$,
  $$ values ('fail', 'roles are missing: tasker_reader') $$,
  'a missing role is a failure'
);

select * from finish();
rollback;
