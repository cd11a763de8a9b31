begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim(1);
select tasker_test.remember_rows();
select throws_ok($$ select tasker.exchange_steps(null) $$, 'TK422', 'a claim names no worker', 'no worker');
select throws_ok($$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 1001) $$, 'TK422', 'the limit is 1001; it must be between 0 and 1000', 'too large a limit');
select throws_ok($$ select tasker.exchange_steps(gen_random_uuid(), p_limit => null) $$, 'TK422', 'the limit is null; it must be between 0 and 1000', 'no limit');
select throws_ok($$ select tasker.exchange_steps(gen_random_uuid(), p_lease_seconds => 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'no lease');
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1,2}') $$, 'TK422', 'steps and claim numbers do not match', 'arrays that do not match'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1}', p_errors => '{a,b}') $$, 'TK422', '2 errors do not match 1 steps', 'errors neither'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), array[tasker_test.the_step('a')], '{1}', p_namespaces => '{nowhere}', p_limit => 1) $$,
  'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 2, p_ahead => 3) $$, 'TK422', '3 steps cannot be claimed ahead', 'more ahead than claimed'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 2, p_ahead => -1) $$, 'TK422', '-1 steps cannot be claimed ahead', 'fewer than none ahead'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_limit => 2, p_ahead => null) $$, 'TK422', 'null steps cannot be claimed ahead', 'nothing known ahead'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_waiting => '{null}') $$, 'TK422',
  'the waiting steps contain null or are not a one-dimensional array', 'a waiting step without a UUID'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid(), p_waiting => array(select gen_random_uuid() from generate_series(1, 1001))) $$, 'TK413',
  '1001 waiting steps are too many for one call', 'too many waiting steps'
);
select is_empty('select tasker_test.changed_tables()', 'then the results are not recorded either');

select * from finish();
rollback;
