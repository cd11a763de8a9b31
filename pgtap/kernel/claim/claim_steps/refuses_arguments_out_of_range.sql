begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.remember_rows();
select throws_ok($$ select tasker.claim_steps('{test}', null) $$, 'TK422', 'a claim names no worker', 'a null worker is refused');
select throws_ok($$ select tasker.claim_steps('{test}', gen_random_uuid(), -1) $$, 'TK422', 'the limit is -1; it must be between 0 and 1000', 'a negative limit is refused');
select throws_ok($$ select tasker.claim_steps('{test}', gen_random_uuid(), 1001) $$, 'TK422', 'the limit is 1001; it must be between 0 and 1000', 'a limit above 1,000 is refused');
select throws_ok($$ select tasker.claim_steps('{test}', gen_random_uuid(), 1, 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused');
select throws_ok($$ select tasker.claim_steps('{test}', gen_random_uuid(), 1, 86401) $$, 'TK422', 'a lease cannot last 86401 seconds', 'a lease of more than a day is refused');
select throws_ok($$ select tasker.claim_steps('{test,nowhere}', gen_random_uuid()) $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.claim_steps(array[null], gen_random_uuid()) $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');
select throws_ok(
  $$ select tasker.claim_steps(array['test"; drop schema tasker --'], gen_random_uuid()) $$,
  'TK404', 'namespace "test"; drop schema tasker --" does not exist', 'a hostile namespace is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
