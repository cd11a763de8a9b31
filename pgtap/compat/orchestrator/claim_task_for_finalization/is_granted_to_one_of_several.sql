begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);

select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), 'the first processor gets the claim'
);
select is(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false,
  'the second processor gets false instead of an error'
);
select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), 'the first processor may repeat its claim'
);
select results_eq(
  $$
  select t.finalization_claimed_by, t.finalization_claimed_at, c.claimed_until > tasker.clock()
    from tasker_compat.tasks as t
    join tasker.finalization_claims as c using (task_uuid)
   where t.task_uuid = tasker_test.the_task()
  $$,
  $$ select '00000000-0000-0000-0000-00000000000a'::uuid, tasker.clock(), true $$, 'tasker_compat.tasks names the processor, the time and the lease of the claim'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
