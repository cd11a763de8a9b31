begin;
select plan(12);

select tasker_test.create_task();
select throws_ok($$ select tasker.fork_task('00000000-0000-7000-8000-000000000000', 'left') $$, 'TK404', 'task 00000000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');
select throws_ok($$ select tasker.fork_task(null, 'left') $$, 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), null) $$, 'TK422', 'the step is missing', 'a null step is refused');
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), ' ') $$, 'TK422', 'the step is missing', 'a blank step is refused');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'lfet') $$, 'TK404', 'the template has no step "lfet"', 'a step that the template does not have is refused'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), E'left\'; drop table tasker.tasks; --') $$, 'TK404', 'the template has no step "left''; drop table tasker.tasks; --"', 'a hostile step is refused'
);
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left', '9') $$, 'TK404', 'template "test/diamond" version "9" does not exist', 'an unknown version is refused');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_reason => repeat('x', 901)) $$, 'TK413', 'the reason is longer than 900 characters', 'a reason that is too large is refused'
);
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'left', p_actor => repeat('x', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'an actor that is too large is refused'
);
select tasker.retire_task_template('test', 'diamond', '0.1.0');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.fork_task(tasker_test.the_task(), 'left') $$, 'TK410', 'template "test/diamond" version 0.1.0 is retired', 'a retired version is refused');
select is((select count(*)::integer from tasker.tasks), 1, 'no task is left behind');
select is_empty('select tasker_test.changed_tables()', 'the old task is unchanged');

select * from finish();
rollback;
