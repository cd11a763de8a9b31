begin;
select plan(7);

-- What one server answered and another, that took over from it, has never seen: here the second branch of a savepoint.
select tasker_test.create_task();
select lives_ok($$ select tasker_test.run('top') $$, 'both servers know that "top" is complete');
savepoint failover;

select setseed(0.1);
select c.claim_no as lost from tasker.claim_steps('{test}', gen_random_uuid(), 2) as c where c.name = 'left' \gset
rollback to failover;

select setseed(0.2);
select c.claim_no as given from tasker.claim_steps('{test}', gen_random_uuid(), 2) as c where c.name = 'left' \gset
select isnt(:lost, :given, 'the claim that took its place has another number');
select is(
  (select a.answer from tasker.complete_steps(array[tasker_test.the_step('left')], array[:lost], array['"lost"'::jsonb]) as a),
  'stale', 'a result under the number that was lost is stale'
);
select is(
  (select x.answer from tasker.extend_leases(array[tasker_test.the_step('left')], array[:lost]) as x), 'stale',
  'its lease is not renewed'
);
select is(
  (select r.answer from tasker.release_steps(array[tasker_test.the_step('left')], array[:lost]) as r), 'stale',
  'it gives nothing back'
);
select is(tasker.checkpoint_step(tasker_test.the_step('left'), :lost, '{}'), 'stale', 'it keeps no checkpoint');
select is(
  (select a.answer from tasker.complete_steps(array[tasker_test.the_step('left')], array[:given], array['"given"'::jsonb]) as a),
  'completed', 'the claim that this server gave counts'
);

select * from finish();
rollback;
