begin;
select plan(5);

select throws_ok($$ select tasker.get_step_readiness_status(null) $$, 'TK404', 'task null does not exist', 'null');
select throws_ok(
  $$ select tasker.get_step_readiness_status('01980000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown one'
);
select throws_ok(
  $$ select tasker.get_step_readiness_status('00000000-0000-0000-0000-000000000000', '{}') $$,
  'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'one that can be none'
);
select tasker_test.make_task();
select throws_ok(
  $$ select tasker.get_step_readiness_status(tasker_test.the_step('top')) $$,
  'TK404', format('task %s does not exist', tasker_test.the_step('top')), 'a step'
);
select is_empty(
  $$ select tasker.get_step_readiness_status(tasker_test.the_task(), (select array_agg(gen_random_uuid()) from generate_series(1, 100000))) $$,
  'a filter of a hundred thousand strangers'
);

select * from finish();
rollback;
