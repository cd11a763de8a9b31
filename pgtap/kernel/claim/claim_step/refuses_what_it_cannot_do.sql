begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.remember_rows();
select throws_ok($$ select tasker.claim_step(tasker_test.the_step('top'), null) $$, 'TK422', 'a claim names no worker', 'a null worker is refused');
select throws_ok($$ select tasker.claim_step(tasker_test.the_step('top'), gen_random_uuid(), 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused');
select throws_ok(
  $$ select tasker.claim_step('01980000-0000-7000-8000-000000000001', gen_random_uuid()) $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select throws_ok($$ select tasker.claim_step(null, gen_random_uuid()) $$, 'TK404', 'step null does not exist', 'a null step is refused');
select throws_ok(
  $$ select tasker.claim_step(tasker_test.the_task(), gen_random_uuid()) $$,
  'TK404', format('step %s does not exist', tasker_test.the_task()), 'the UUID of a task is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
