begin;
select plan(3);

select throws_ok(
  $$ select tasker.explain_step('01980000-0000-7000-8000-000000000001') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select throws_ok($$ select tasker.explain_step(null) $$, 'TK404', 'step null does not exist', 'a null step is refused');
select tasker_test.make_task();
select throws_like($$ select tasker.explain_step(tasker_test.the_task()) $$, 'step % does not exist', 'the UUID of a task is refused');

select * from finish();
rollback;
