begin;
select plan(19);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker.set_setting('kept_results', '2');
select tasker.set_setting('kept_bytes', '1024');
select tasker.set_setting('result_bytes', '1000');
select tasker_test.remember_rows();
prepare keep (integer, text, integer, jsonb, text) as
  select a.answer::text from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), $1, $2, $3, $4, $5) as a;
select throws_ok($$ execute keep (null, 'a', 1, '1', null) $$, 'TK422', 'position null and occurrence 1 are not both from 1', 'a null position is refused');
select throws_ok($$ execute keep (0, 'a', 1, '1', null) $$, 'TK422', 'position 0 and occurrence 1 are not both from 1', 'position zero is refused');
select throws_ok($$ execute keep (-1, 'a', 1, '1', null) $$, 'TK422', 'position -1 and occurrence 1 are not both from 1', 'a negative position is refused');
select throws_ok($$ execute keep (1, 'a', null, '1', null) $$, 'TK422', 'position 1 and occurrence null are not both from 1', 'a null occurrence is refused');
select throws_ok($$ execute keep (1, null, 1, '1', null) $$, 'TK422', '"null" is not a name for a kept result', 'a null name is refused');
select throws_ok($$ execute keep (1, '', 1, '1', null) $$, 'TK422', '"" is not a name for a kept result', 'an empty name is refused');
select throws_ok($$ execute keep (1, 'a b', 1, '1', null) $$, 'TK422', '"a b" is not a name for a kept result', 'a name with a space is refused');
select throws_ok(format($$ execute keep (1, %L, 1, '1', null) $$, repeat('x', 200)), 'TK422', format('"%s" is not a name for a kept result', repeat('x', 100)), 'a name that is too long is refused');
select throws_ok($$ execute keep (1, 'a', 1, null, null) $$, 'TK422', '"a" has neither a value nor an error, or both', 'a call with neither a value nor an error is refused');
select throws_ok($$ execute keep (1, 'a', 1, '1', 'no') $$, 'TK422', '"a" has neither a value nor an error, or both', 'a call with both a value and an error is refused');
select throws_ok($$ execute keep (1, 'a', 1, null, '') $$, 'TK422', '"a" has neither a value nor an error, or both', 'an empty error is refused');
select throws_ok(format($$ execute keep (1, 'a', 1, '"%s"', null) $$, repeat('x', 999)), 'TK413', 'the kept result "a" is too large', 'a value that is a byte too large is refused');
select throws_ok(
  $$ select * from tasker.keep_step_result(null, 1, 1, 'a', 1, '1') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused'
);
select throws_ok(
  $$ select * from tasker.keep_step_result(tasker_test.the_step('work'), null, 1, 'a', 1, '1') $$, 'TK422', 'steps and claim numbers do not match', 'no claim number'
);
select throws_ok(
  $$ select * from tasker.keep_step_result('01980000-0000-7000-8000-000000000001', 1, 1, 'a', 1, '1') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select tasker_test.keep(1, 'a', to_jsonb(repeat('x', 900)));
select throws_ok(
  format($$ execute keep (2, 'b', 1, '"%s"', null) $$, repeat('x', 900)), 'TK413',
  format('with "b" step %s would have kept 1804 bytes', tasker_test.the_step('work')), 'more bytes than a function may keep are refused'
);
select tasker_test.keep(2, 'b');
select throws_ok(
  $$ execute keep (3, 'c', 1, '1', null) $$, 'TK413',
  format('step %s has kept 2 results, and may keep no more', tasker_test.the_step('work')), 'more results than a function may keep are refused'
);
select throws_ok(
  $$ select tasker_test.suspend(3, '{"await": {"for": 60}}') $$, 'TK413',
  format('step %s has kept 2 results, and may keep no more', tasker_test.the_step('work')), 'a wait counts as a result'
);

select * from finish();
rollback;
