begin;
select plan(9);

create role tasklib_mailer;
create role tasklib_other;
grant tasklib_worker to tasklib_mailer, tasklib_other;
grant usage on schema tasklib to tasklib_mailer, tasklib_other;
grant execute on all functions in schema tasklib to tasklib_mailer, tasklib_other;
select tasker_test.register_echo();
select tasker_test.echo() as task \gset

select is((select r.allowed_roles from tasklib.restrict_task('echo', array['tasklib_mailer']) as r), '{tasklib_mailer}', 'the answer');
select throws_ok(
  $$ select tasker_test.call_as('tasklib_other', 'select c.id from tasklib.claim_tasks(array[''echo''], ''o'') as c') $$,
  'TK403', 'tasklib_other may not run tasks of "echo"', 'another worker is refused'
);
select is(tasker_test.call_as('tasklib_mailer', $$ select c.id from tasklib.claim_tasks(array['echo'], 'm') as c $$), :'task', 'the right one gets it');
select throws_ok(
  format($$ select tasker_test.call_as('tasklib_other', $x$ select o.outcome from tasklib.complete_tasks('m', array[%L::uuid], '{1}') as o $x$) $$, :'task'),
  'TK403', 'tasklib_other may not run tasks of "echo"', 'nor may another one report, even with its claim'
);
select throws_ok(
  format($$ select tasker_test.call_as('tasklib_other', $x$ select o.outcome from tasklib.fail_tasks('m', array[%L::uuid], '{1}', '{x}') as o $x$) $$, :'task'),
  'TK403', 'tasklib_other may not run tasks of "echo"', 'not a failure either'
);
select is(
  tasker_test.call_as('tasklib_mailer', format($$ select o.outcome from tasklib.complete_tasks('m', array[%L::uuid], '{1}') as o $$, :'task')),
  'completed', 'whoever has it does'
);
select is((select r.worker_role from tasklib.task_runs as r), 'tasklib_mailer', 'and is on record');
select tasklib.restrict_task('echo', '{}');
select lives_ok($$ select tasker_test.call_as('tasklib_other', 'select c.id from tasklib.claim_tasks(array[''echo''], ''o'') as c') $$, 'an empty list lets everybody again');
select tasklib.set_setting('grants_required', 'true');
select throws_ok(
  $$ select tasker_test.call_as('tasklib_other', 'select c.id from tasklib.claim_tasks(array[''echo''], ''o'') as c') $$,
  'TK403', 'tasklib_other may not run tasks of "echo"', 'unless grants are required'
);

select * from finish();
rollback;
