begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task();
select is_empty(
  $$ select * from tasker.get_current_task_transition(tasker_test.the_task()) $$, 'a task that has only been created has none'
);
select tasker_test.create_task();
select results_eq(
  $$ select c.event, c.to_state, c.metadata ->> 'count' from tasker.get_current_task_transition(tasker_test.the_task()) as c $$,
  $$ values ('StepsEnqueued', 'steps_in_process', '1') $$, 'one that runs has enqueued its steps'
);
select tasker.cancel_task(tasker_test.the_task(), 'no more', 'eve');
select results_eq(
  $$ select c.event, c.actor, c.reason, c.description from tasker.get_current_task_transition(tasker_test.the_task()) as c $$,
  $$ values ('Cancel', 'eve', 'no more', 'task was cancelled by eve: no more') $$, 'who ended it'
);
select throws_ok(
  $$ select tasker.get_current_task_transition('01900000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01900000-0000-7000-8000-000000000000 does not exist', 'no such task'
);
select throws_ok($$ select tasker.get_current_task_transition(null) $$, 'TK404', 'task null does not exist', 'none at all');

select * from finish();
rollback;
