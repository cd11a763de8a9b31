begin;
select plan(4);

select tasker_test.freeze('2040-05-01 10:00:00+00');

select tasker_test.call_as('tasker_operator', $$ select tasker.set_setting('lease_seconds', '120') $$);
select results_eq(
  $$ select changed_by, changed_at from tasker.list_settings() where name = 'lease_seconds' $$,
  $$ values (format('tasker_operator (logged in: %s)', session_user) collate "default", timestamptz '2040-05-01 10:00:00+00') $$,
  'the setting names the current role, the login role and the time'
);

select tasker_test.pass('1 day');
select is(
  tasker_test.call_as('tasker_operator', $$ select tasker.set_setting('lease_seconds', '120') $$), '120',
  'setting the same value returns it'
);
select is(
  (
    select s.changed_at
      from tasker.list_settings() as s
     where s.name = 'lease_seconds'
  ),
  '2040-05-01 10:00:00+00'::timestamptz,
  'setting the same value does not change the time'
);

select tasker.set_setting('lease_seconds', null);
select is(
  (select s.changed_by from tasker.list_settings() as s where s.name = 'lease_seconds'), session_user::text,
  'the login role alone is named if the role was not changed'
);

select * from finish();
rollback;
