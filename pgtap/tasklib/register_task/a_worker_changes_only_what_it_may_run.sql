begin;
select plan(4);

create role tasklib_mailer;
grant execute on all functions in schema tasklib to tasklib_mailer;
grant usage on schema tasklib to tasklib_mailer;
select tasker_test.register_echo();
select tasklib.restrict_task('echo', array['tasklib_worker']);

select throws_ok(
  $$ select tasker_test.call_as('tasklib_mailer', 'select r.name from tasklib.register_task(''echo'', ''{"max_retries": 9}'') as r') $$,
  'TK403', 'tasklib_mailer may not run tasks of "echo"', 'a stranger does not'
);
select lives_ok(
  $$ select tasker_test.call_as('tasklib_mailer', 'select r.name from tasklib.register_task(''echo'') as r') $$, 'who changes nothing is not asked'
);
select lives_ok(
  $$ select tasker_test.call_as('tasklib_worker', 'select r.name from tasklib.register_task(''echo'', ''{"max_retries": 9}'') as r') $$, 'its worker does'
);
select lives_ok(
  $$ select tasker_test.call_as('tasklib_operator', 'select r.name from tasklib.register_task(''echo'', ''{"max_retries": 8}'') as r') $$, 'and so does an operator'
);

select * from finish();
rollback;
