begin;
select plan(12);

select tasker_test.create_task();
select throws_ok($$ select tasker.fork_task('00000000-0000-7000-8000-000000000000', 'left') $$, 'TK404', null, 'a task that does not exist');
select throws_ok($$ select tasker.fork_task(null, 'left') $$, 'TK404', null, 'null');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), null) $$, 'TK422', 'the step is missing', 'no step');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), ' ') $$, 'TK422', 'the step is missing', 'an empty one');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'lfet') $$, 'TK404', 'the template has no step "lfet"', 'a step that the template does not have'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), E'left\'; drop table tasker.tasks; --') $$, 'TK404', null, 'SQL'
);
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left', '9') $$, 'TK404', null, 'a version that does not exist');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_reason => repeat('x', 901)) $$, 'TK413', null, 'a reason that is too large'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_actor => repeat('x', 201)) $$, 'TK413', null, 'an actor that is too large'
);
select tasker.retire_task_template('test', 'diamond', '0.1.0');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left') $$, 'TK410', null, 'a version that is retired');
select is((select count(*)::integer from tasker.tasks), 1, 'no task is left behind');
select lives_ok($$ select tasker.cancel_task(tasker_test.the_task()) $$, 'and the old one is as it was');

select * from finish();
rollback;
