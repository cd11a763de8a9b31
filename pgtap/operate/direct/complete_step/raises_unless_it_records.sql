begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b a');
select tasker_test.launch('pair');
select tasker_test.claim('a');
select throws_ok(
  format('select tasker.complete_step(%L, 2)', tasker_test.the_step('a')), 'TK409',
  format('the result of step %s is not recorded: stale', tasker_test.the_step('a')), 'a claim that is not the current one is refused'
);
select throws_ok(
  format('select tasker.complete_step(%L, 1, to_jsonb(repeat(%L, 2000000)))', tasker_test.the_step('a'), 'x'), 'TK413',
  format('the result of step %s is too large', tasker_test.the_step('a')), 'a large result is refused'
);
select throws_ok(
  $$ select tasker.complete_step('01980000-0000-7000-8000-000000000001', 1) $$, 'TK409',
  'the result of step 01980000-0000-7000-8000-000000000001 is not recorded: not_found', 'an unknown step is refused'
);
select is(tasker.complete_step(tasker_test.the_step('a'), 1, '{"n": 1}'), 'completed', 'the result is recorded');
select throws_ok(
  format('select tasker.complete_step(%L, 1, %L)', tasker_test.the_step('a'), '{"n": 1}'), 'TK409',
  format('the result of step %s is recorded already', tasker_test.the_step('a')), 'a repeat in another transaction cannot commit its effects again'
);
select is(tasker_test.the_steps(), 'a complete, b enqueued', 'and the task moves on');
select throws_ok('select tasker.complete_step(null, null)', 'TK422', 'steps and claim numbers do not match', 'nulls are refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
