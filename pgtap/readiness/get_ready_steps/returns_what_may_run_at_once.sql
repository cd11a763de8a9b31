begin;
select plan(5);

select tasker_test.make_task();
select results_eq($$ select r.name from tasker.get_ready_steps(tasker_test.the_task()) as r $$, $$ values ('top') $$, 'the roots');
select tasker_test.start_task();
select is_empty($$ select from tasker.get_ready_steps(tasker_test.the_task()) $$, 'not what is enqueued already');
select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq(
  $$ select r.name from tasker.get_ready_steps(tasker_test.the_task()) as r $$,
  $$ values ('left'), ('right') $$, 'then those whose parents are done'
);
select results_eq(
  $$ select r.* from tasker.get_ready_steps(tasker_test.the_task()) as r $$,
  $$ select r.* from tasker.get_step_readiness_status(tasker_test.the_task()) as r where r.ready_for_execution $$, 'with all columns'
);
select throws_ok(
  $$ select tasker.get_ready_steps('01980000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'no such task'
);

select * from finish();
rollback;
