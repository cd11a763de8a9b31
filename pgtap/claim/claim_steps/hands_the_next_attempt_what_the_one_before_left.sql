begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select is((select c.checkpoint from tasker_test.claim() as c), null, 'nothing at first');
select tasker.checkpoint_step(tasker_test.the_step('a'), 1, '{"page": 3}');
select tasker_test.fail('a', 'no answer');
select tasker_test.pass('10 seconds');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count, c.checkpoint, c.last_error from tasker_test.claim() as c $$,
  $$ values (2, 2, 0, '{"page": 3}'::jsonb, 'no answer') $$,
  'its checkpoint and its error'
);
select tasker.checkpoint_step(tasker_test.the_step('a'), 2, '{"page": 4}');
select tasker_test.pass('2 minutes');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count, c.checkpoint, c.last_error from tasker_test.claim() as c $$,
  $$ values (3, 2, 1, '{"page": 4}'::jsonb, 'no answer') $$,
  'a lost worker''s checkpoint too: the claim number grows, the attempt does not count'
);
select tasker.release_steps(array[tasker_test.the_step('a')], '{3}');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c $$, $$ values (4, 2, 1) $$, 'one that is handed back is no loss and no attempt'
);
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
