begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim(1);
select tasker_test.remember_rows();
select throws_ok($$ select tasker.exchange_steps(null) $$, 'TK422', 'a claim names no worker', 'a null worker is refused');
select throws_ok($$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 1001) $$, 'TK422', 'the limit is 1001; it must be between 0 and 1000', 'a limit that is too large is refused');
select throws_ok($$ select tasker.exchange_steps(gen_random_uuid(), p_lease_seconds => 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused');
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1,2}') $$, 'TK422', 'steps and claim numbers do not match', 'arrays of different lengths are refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1}', p_errors => '{a,b}') $$, 'TK422', '2 errors do not match 1 steps', 'errors of another length are refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1}', p_namespaces => '{nowhere}', p_limit => 1) $$,
  'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 2, p_ahead => 3) $$, 'TK422', '3 steps cannot be claimed ahead', 'more steps ahead than claimed are refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 2, p_ahead => -1) $$, 'TK422', '-1 steps cannot be claimed ahead', 'a negative number ahead is refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_waiting => '{null}') $$, 'TK422',
  'the waiting steps contain null or are not a one-dimensional array', 'a null waiting step is refused'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_waiting => array(select gen_random_uuid() from generate_series(1, 1001))) $$, 'TK413',
  '1001 waiting steps are too many for one call', 'too many waiting steps are refused'
);
select is_empty('select tasker_test.changed_tables()', 'a refused exchange records no result');

select * from finish();
rollback;
