begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select is((select c.checkpoint is null from tasker_test.claim() as c), true, 'the first attempt has no checkpoint');
select tasker.checkpoint_step(tasker_test.the_step('a'), 1, '{"page": 3}');
select tasker_test.fail('a', 'no answer');
select tasker_test.pass('10 seconds');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count, c.checkpoint, c.last_error from tasker_test.claim() as c $$,
  $$ values (2, 2, 0, '{"page": 3}'::jsonb, 'no answer') $$,
  'the second attempt gets the checkpoint and the error of the first'
);
select tasker.checkpoint_step(tasker_test.the_step('a'), 2, '{"page": 4}');
select tasker_test.pass('2 minutes');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count, c.checkpoint, c.last_error from tasker_test.claim() as c $$,
  $$ values (3, 2, 1, '{"page": 4}'::jsonb, 'no answer') $$,
  'a lost step keeps its checkpoint, its claim number grows and its attempt does not'
);
select tasker.release_steps(array[tasker_test.the_step('a')], '{3}');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c $$, $$ values (4, 2, 1) $$, 'a released step counts neither a loss nor an attempt'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
