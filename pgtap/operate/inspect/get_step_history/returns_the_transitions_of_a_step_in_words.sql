begin;
select plan(4);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker.register_worker('00000000-0000-0000-0000-0000000000c1', 'worker one');
select tasker_test.register_as('pair', '{}', 'first', 'second first');
select tasker_test.create_task('pair');
select tasker_test.claim('first');
select tasker_test.fail_for_good('first', false);
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.claim('first');
select tasker_test.finish('first');

select results_eq(
  $$ select h.description from tasker.get_step_history(tasker_test.the_step('first')) as h $$,
  $$
  values
    ('step "first" became ready'),
    ('step "first" was claimed by worker one'),
    ('step "first" reported a failure after 0 ms: the bank is closed'),
    ('step "first" waits for another attempt'),
    ('step "first" is to be tried again'),
    ('step "first" became ready'),
    ('step "first" was claimed by worker one'),
    ('step "first" returned a result after 7 ms'),
    ('step "first" completed')
  $$,
  'it returns every transition of the step in order, and none of other steps'
);
select set_eq(
  $$ select h from tasker.get_step_history(tasker_test.the_step('first')) as h $$,
  $$ select h from tasker.get_task_history(tasker_test.the_task()) as h where h.step_name = 'first' $$,
  'its rows are the same as in the history of the task'
);
select results_eq(
  $$ select h.description from tasker.get_step_history(tasker_test.the_step('first'), 2) as h $$,
  $$ values ('step "first" became ready'), ('step "first" was claimed by worker one') $$, 'the limit keeps the oldest transitions'
);
select results_eq(
  $$ select h.description from tasker.get_step_history(tasker_test.the_step('second')) as h $$,
  $$ values ('step "second" became ready') $$, 'another step has its own history'
);

select * from finish();
rollback;
