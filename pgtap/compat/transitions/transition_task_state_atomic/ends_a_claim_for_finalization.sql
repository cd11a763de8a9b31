begin;
select plan(3);

select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);
select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), 'a processor gets the claim'
);

select tasker_test.move_task(tasker_test.the_task(), 'error');
select is(
  (select t.finalization_claimed_by is null from tasker_compat.tasks as t where t.task_uuid = tasker_test.the_task()), true,
  'the claim for finalization ends with the state that it saw'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
