begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task();
select is_empty(
  $$ select * from tasker.get_current_task_transition(tasker_test.the_task()) $$, 'it returns no row for a task that was only created'
);
select tasker_test.create_task();
select results_eq(
  $$ select c.event, c.to_state, c.metadata ->> 'count' from tasker.get_current_task_transition(tasker_test.the_task()) as c $$,
  $$ values ('StepsEnqueued', 'steps_in_process', '1') $$, 'it returns the event StepsEnqueued for a running task'
);
select tasker.cancel_task(tasker_test.the_task(), 'no more', 'eve');
select results_eq(
  $$ select c.event, c.actor, c.reason, c.description from tasker.get_current_task_transition(tasker_test.the_task()) as c $$,
  $$ values ('Cancel', 'eve', 'no more', 'task was cancelled by eve: no more') $$, 'it returns who cancelled the task and why'
);
select throws_ok(
  $$ select tasker.get_current_task_transition('01900000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01900000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok($$ select tasker.get_current_task_transition(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');

select * from finish();
rollback;
