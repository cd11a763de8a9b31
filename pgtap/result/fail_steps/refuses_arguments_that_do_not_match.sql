begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.remember_rows();
create function pg_temp.ab() returns uuid[] language sql as $$ select array[tasker_test.the_step('a'), tasker_test.the_step('b')] $$;
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', null) $$, 'TK422', 'a failure has no error', 'no errors');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no}') $$, 'TK422', 'a failure has no error', 'too few');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,null}') $$, 'TK422', 'a failure has no error', 'a null among them');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{{no,no}}') $$, 'TK422', 'a failure has no error', 'an array of arrays');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1}', '{no,no}') $$, 'TK422', 'steps and claim numbers do not match', 'too few claim numbers');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', '{true}') $$, 'TK422', '1 marks of permanence do not match 2 steps', 'too few marks');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,2,3}') $$, 'TK422', '3 backoffs do not match 2 steps', 'too many backoffs');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,-1}') $$, 'TK422', 'a backoff is below 0 seconds or above a year', 'a wait below 0');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,31536001}') $$, 'TK422', 'a backoff is below 0 seconds or above a year', 'or of more than a year');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, null, '{1,-1}') $$, 'TK422', 'an execution time is below 0', 'a time before the start');
select throws_ok(
  $$ select tasker.fail_steps(array_fill(tasker_test.the_step('a'), '{10001}'), array_fill(1, '{10001}'), array_fill('no'::text, '{10001}')) $$,
  'TK413', '10001 steps are too many for one call', 'more than 10,000 steps'
);
select is_empty($$ select from tasker.fail_steps('{}', '{}', '{}') $$, 'none is none');
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');

select * from finish();
rollback;
