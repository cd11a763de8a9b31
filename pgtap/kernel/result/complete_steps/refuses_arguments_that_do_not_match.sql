begin;
select plan(17);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.remember_rows();
create function pg_temp.ab() returns uuid[] language sql as $$ select array[tasker_test.the_step('a'), tasker_test.the_step('b')] $$;
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1}') $$, 'TK422', 'steps and claim numbers do not match', 'too few claim numbers are refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1,1,1}') $$, 'TK422', 'steps and claim numbers do not match', 'too many claim numbers are refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), null) $$, 'TK422', 'steps and claim numbers do not match', 'a null array of claim numbers is refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1,null}') $$, 'TK422', 'steps and claim numbers do not match', 'a null claim number is refused');
select throws_ok($$ select tasker.complete_steps(null, '{1}') $$, 'TK422', 'steps and claim numbers do not match', 'a null array of steps is refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab() || null::uuid, '{1,1,1}') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused');
select throws_ok($$ select tasker.complete_steps(array[null]::uuid[], '{1}') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused alone, too');
select throws_ok($$ select tasker.complete_steps((pg_temp.ab())[1:1], '{null}') $$, 'TK422', 'steps and claim numbers do not match', 'a null claim number is refused alone, too');
select throws_ok($$ select tasker.complete_steps(array[pg_temp.ab()], '{1,1}') $$, 'TK422', 'steps and claim numbers do not match', 'a two-dimensional array of steps is refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{{1,1}}') $$, 'TK422', 'steps and claim numbers do not match', 'a two-dimensional array of claim numbers is refused');
select throws_ok($$ select tasker.complete_steps((pg_temp.ab())[1:1], '{{1}}') $$, 'TK422', 'steps and claim numbers do not match', 'claim numbers in an array of arrays are refused for one step too');
select throws_ok($$ select tasker.complete_steps(array[(pg_temp.ab())[1:1]], '{1}') $$, 'TK422', 'steps and claim numbers do not match', 'one step in an array of arrays is refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1,1}', array['{}']::jsonb[]) $$, 'TK422', '1 results do not match 2 steps', 'too few results are refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1,1}', null, '{1,2,3}') $$, 'TK422', '3 execution times do not match 2 steps', 'too many execution times are refused');
select throws_ok($$ select tasker.complete_steps(pg_temp.ab(), '{1,1}', null, '{1,-1}') $$, 'TK422', 'an execution time is below 0', 'a negative execution time is refused');
select throws_ok(
  $$ select tasker.complete_steps(pg_temp.ab() || pg_temp.ab(), '{1,1,1,1}') $$, 'TK422', 'a call names the same step twice', 'a step that is named twice is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
