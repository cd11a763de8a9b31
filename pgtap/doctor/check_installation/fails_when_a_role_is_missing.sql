begin;
select plan(3);

select is(
  (select status from tasker.check_installation() where name = 'roles'), 'ok',
  'all are there'
);

alter role tasker_reader login;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'roles' $$,
  $$ values ('warn', 'a role may log in or is a superuser: tasker_reader') $$,
  'one that is more than a group is a warning'
);
alter role tasker_reader nologin;

alter role tasker_reader rename to tasker_reader_gone;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'roles' $$,
  $$ values ('fail', 'roles are missing: tasker_reader') $$,
  'one that is missing is a failure'
);

select * from finish();
rollback;
