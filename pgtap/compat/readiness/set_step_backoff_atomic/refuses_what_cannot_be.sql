begin;
select plan(6);

select throws_ok(
  $$ select tasker.set_step_backoff_atomic('01980000-0000-7000-8000-000000000001', 1) $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select throws_ok($$ select tasker.set_step_backoff_atomic(null, 1) $$, 'TK404', 'step null does not exist', 'a null step is refused');
select tasker_test.make_task();
select throws_ok($$ select tasker.set_step_backoff_atomic(tasker_test.the_step('top'), null) $$, 'TK422', 'a backoff of null seconds is out of range', 'a null backoff is refused');
select throws_ok($$ select tasker.set_step_backoff_atomic(tasker_test.the_step('top'), -1) $$, 'TK422', 'a backoff of -1 seconds is out of range', 'a negative backoff is refused');
select throws_ok($$ select tasker.set_step_backoff_atomic(tasker_test.the_step('top'), 2147483647) $$, 'TK422', 'a backoff of 2147483647 seconds is out of range', 'a backoff that is too long is refused');
select throws_ok($$ select tasker.set_step_backoff_atomic(tasker_test.the_task(), 1) $$, 'TK404', format('step %s does not exist', tasker_test.the_task()), 'the UUID of a task is refused');

select * from finish();
rollback;
