begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.remember_rows();
create function pg_temp.ab() returns uuid[] language sql as $$ select array[tasker_test.the_step('a'), tasker_test.the_step('b')] $$;
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', null) $$, 'TK422', 'a failure has no error', 'a null array of errors is refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no}') $$, 'TK422', 'a failure has no error', 'too few errors are refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,null}') $$, 'TK422', 'a failure has no error', 'a null error is refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{{no,no}}') $$, 'TK422', 'a failure has no error', 'a two-dimensional array of errors is refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1}', '{no,no}') $$, 'TK422', 'steps and claim numbers do not match', 'too few claim numbers are refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', '{true}') $$, 'TK422', '1 marks of permanence do not match 2 steps', 'too few marks of permanence are refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,2,3}') $$, 'TK422', '3 backoffs do not match 2 steps', 'too many backoffs are refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,-1}') $$, 'TK422', 'a backoff is below 0 seconds or above a year', 'a negative backoff is refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, '{1,31536001}') $$, 'TK422', 'a backoff is below 0 seconds or above a year', 'a backoff of more than a year is refused');
select throws_ok($$ select tasker.fail_steps(pg_temp.ab(), '{1,1}', '{no,no}', null, null, '{1,-1}') $$, 'TK422', 'an execution time is below 0', 'a negative execution time is refused');
select throws_ok(
  $$ select tasker.fail_steps(array_fill(tasker_test.the_step('a'), '{10001}'), array_fill(1, '{10001}'), array_fill('no'::text, '{10001}')) $$,
  'TK413', '10001 steps are too many for one call', 'more than 10,000 steps are refused'
);
select is_empty($$ select from tasker.fail_steps('{}', '{}', '{}') $$, 'empty arrays have no answers');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
