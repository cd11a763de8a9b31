begin;
select plan(7);

-- One server handed out a claim that the server taking over has never seen. A rollback to a savepoint stands for that.
select tasker_test.create_task();
select lives_ok($$ select tasker_test.run('top') $$, 'both servers know that "top" is complete');
savepoint failover;

select setseed(0.1);
select c.claim_no as lost from tasker.claim_steps('{test}', gen_random_uuid(), 2) as c where c.name = 'left' \gset
rollback to failover;

select setseed(0.2);
select c.claim_no as given from tasker.claim_steps('{test}', gen_random_uuid(), 2) as c where c.name = 'left' \gset
select isnt(:lost, :given, 'the claim that replaces the lost one has another number');
select is(
  (select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('left')], array[:lost], array['"lost"'::jsonb]) as a),
  'stale', 'a result with the lost number is stale'
);
select is(
  (select x.answer::text from tasker.extend_leases(array[tasker_test.the_step('left')], array[:lost]) as x), 'stale',
  'a lease with the lost number is not renewed'
);
select is(
  (select r.answer::text from tasker.release_steps(array[tasker_test.the_step('left')], array[:lost]) as r), 'stale',
  'a release with the lost number changes nothing'
);
select is(tasker.checkpoint_step(tasker_test.the_step('left'), :lost, '{}'), 'stale', 'a checkpoint with the lost number is not kept');
select is(
  (select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('left')], array[:given], array['"given"'::jsonb]) as a),
  'completed', 'a result with the new number completes the step'
);

select * from finish();
rollback;
