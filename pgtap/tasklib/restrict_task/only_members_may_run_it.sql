begin;
select plan(9);

create role tasklib_mailer;
create role tasklib_other;
grant tasklib_worker to tasklib_mailer, tasklib_other;
grant usage on schema tasklib to tasklib_mailer, tasklib_other;
grant execute on all functions in schema tasklib to tasklib_mailer, tasklib_other;
select tasker_test.register_echo();
select tasker_test.echo() as task \gset

select is((select r.allowed_roles from tasklib.restrict_task('echo', array['tasklib_mailer']) as r), '{tasklib_mailer}', 'restrict_task returns the allowed roles');
select throws_ok(
  $$ select tasker_test.call_as('tasklib_other', 'select c.id from tasklib.claim_tasks(array[''echo''], ''o'') as c') $$,
  'TK403', 'tasklib_other may not run tasks of "echo"', 'a role that is not allowed cannot claim'
);
select is(tasker_test.call_as('tasklib_mailer', $$ select c.id from tasklib.claim_tasks(array['echo'], 'm') as c $$), :'task', 'an allowed role can claim');
select throws_ok(
  format($$ select tasker_test.call_as('tasklib_other', $x$ select o.outcome from tasklib.complete_tasks('m', array[%L::uuid], '{1}') as o $x$) $$, :'task'),
  'TK403', 'tasklib_other may not run tasks of "echo"', 'a role that is not allowed cannot complete the task, even with its worker and claim number'
);
select throws_ok(
  format($$ select tasker_test.call_as('tasklib_other', $x$ select o.outcome from tasklib.fail_tasks('m', array[%L::uuid], '{1}', '{x}') as o $x$) $$, :'task'),
  'TK403', 'tasklib_other may not run tasks of "echo"', 'it cannot fail the task either'
);
select is(
  tasker_test.call_as('tasklib_mailer', format($$ select o.outcome from tasklib.complete_tasks('m', array[%L::uuid], '{1}') as o $$, :'task')),
  'completed', 'the allowed role completes the task'
);
select is((select r.worker_role from tasklib.task_runs as r), 'tasklib_mailer', 'the run has the role of the worker');
select tasklib.restrict_task('echo', '{}');
select tasker_test.echo() as next \gset
select is(tasker_test.call_as('tasklib_other', $$ select c.id from tasklib.claim_tasks(array['echo'], 'o') as c $$), :'next', 'an empty list allows every worker again');
select tasklib.set_setting('grants_required', 'true');
select throws_ok(
  $$ select tasker_test.call_as('tasklib_other', 'select c.id from tasklib.claim_tasks(array[''echo''], ''o'') as c') $$,
  'TK403', 'tasklib_other may not run tasks of "echo"', 'an empty list allows no role when grants are required'
);

select * from finish();
rollback;
