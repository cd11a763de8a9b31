begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.remember_rows();
create function pg_temp.top() returns uuid[] language sql as $$ select array[tasker_test.the_step('top')] $$;
select throws_ok($$ select tasker.release_steps(pg_temp.top(), null) $$, 'TK422', 'steps and claim numbers do not match', 'a null array of claim numbers is refused');
select throws_ok($$ select tasker.release_steps(pg_temp.top(), '{null}') $$, 'TK422', 'steps and claim numbers do not match', 'a null claim number is refused');
select throws_ok($$ select tasker.release_steps(array[null]::uuid[], '{1}') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused');
select throws_ok($$ select tasker.release_steps(pg_temp.top() || pg_temp.top(), '{1,1}') $$, 'TK422', 'a call names the same step twice', 'a step that is named twice is refused');
select throws_ok(
  $$ select tasker.release_steps(array_fill(tasker_test.the_step('top'), '{10001}'), array_fill(1, '{10001}')) $$,
  'TK413', '10001 steps are too many for one call', 'more than 10,000 steps are refused'
);
select is_empty($$ select from tasker.release_steps('{}', '{}') $$, 'empty arrays release nothing');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
