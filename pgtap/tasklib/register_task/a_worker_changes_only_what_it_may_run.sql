begin;
select plan(4);

create role tasklib_mailer;
grant execute on all functions in schema tasklib to tasklib_mailer;
grant usage on schema tasklib to tasklib_mailer;
select tasker_test.register_echo();
select tasklib.restrict_task('echo', array['tasklib_worker']);

select throws_ok(
  $$ select tasker_test.call_as('tasklib_mailer', 'select r.name from tasklib.register_task(''echo'', ''{"max_retries": 9}'') as r') $$,
  'TK403', 'tasklib_mailer may not run tasks of "echo"', 'a role that may not run the name cannot change its options'
);
select is(
  tasker_test.call_as('tasklib_mailer', $$ select r.name from tasklib.register_task('echo') as r $$), 'echo', 'the same role may register the name without options'
);
select is(
  tasker_test.call_as('tasklib_worker', $$ select r.max_retries from tasklib.register_task('echo', '{"max_retries": 9}') as r $$), '9',
  'a role that may run the name can change its options'
);
select is(
  tasker_test.call_as('tasklib_operator', $$ select r.max_retries from tasklib.register_task('echo', '{"max_retries": 8}') as r $$), '8',
  'an operator can change its options'
);

select * from finish();
rollback;
