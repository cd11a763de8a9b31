begin;
select plan(5);

select tasker_test.make_task();
select results_eq($$ select r.name from tasker.get_ready_steps(tasker_test.the_task()) as r $$, $$ values ('top') $$, 'the roots are ready at first');
select tasker_test.start_task();
select is_empty($$ select from tasker.get_ready_steps(tasker_test.the_task()) $$, 'enqueued steps are not returned');
select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq(
  $$ select r.name from tasker.get_ready_steps(tasker_test.the_task()) as r $$,
  $$ values ('left'), ('right') $$, 'steps are returned when their parents are complete'
);
select results_eq(
  $$ select r.* from tasker.get_ready_steps(tasker_test.the_task()) as r $$,
  $$ select r.* from tasker.get_step_readiness_status(tasker_test.the_task()) as r where r.ready_for_execution $$, 'the rows have all columns'
);
select throws_ok(
  $$ select tasker.get_ready_steps('01980000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);

select * from finish();
rollback;
