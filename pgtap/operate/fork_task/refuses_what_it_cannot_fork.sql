begin;
select plan(12);

select tasker_test.create_task();
select throws_ok($$ select tasker.fork_task('00000000-0000-7000-8000-000000000000', 'left') $$, 'TK404', 'task 00000000-0000-7000-8000-000000000000 does not exist', 'a task that does not exist');
select throws_ok($$ select tasker.fork_task(null, 'left') $$, 'TK404', 'task null does not exist', 'null');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), null) $$, 'TK422', 'the step is missing', 'no step');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), ' ') $$, 'TK422', 'the step is missing', 'an empty one');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'lfet') $$, 'TK404', 'the template has no step "lfet"', 'a step that the template does not have'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), E'left\'; drop table tasker.tasks; --') $$, 'TK404', 'the template has no step "left''; drop table tasker.tasks; --"', 'SQL'
);
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left', '9') $$, 'TK404', 'template "test/diamond" version "9" does not exist', 'a version that does not exist');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_reason => repeat('x', 901)) $$, 'TK413', 'the reason is longer than 900 characters', 'a reason that is too large'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_actor => repeat('x', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'an actor that is too large'
);
select tasker.retire_task_template('test', 'diamond', '0.1.0');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left') $$, 'TK410', 'template "test/diamond" version 0.1.0 is retired', 'a version that is retired');
select is((select count(*)::integer from tasker.tasks), 1, 'no task is left behind');
select lives_ok($$ select tasker.cancel_task(tasker_test.the_task()) $$, 'and the old one is as it was');

select * from finish();
rollback;
