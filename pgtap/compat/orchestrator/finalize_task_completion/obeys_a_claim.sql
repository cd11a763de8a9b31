begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);
select tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a');

select tasker_test.remember_rows();
select is(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false, 'another processor gets false'
);
select is(tasker.finalize_task_completion(tasker_test.the_task()), false, 'a caller without a processor gets false');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select ok(tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), 'the processor with the claim completes the task');
select is(
  (select t.finalization_claimed_by is null from tasker_compat.tasks as t where t.task_uuid = tasker_test.the_task()), true, 'the claim has ended'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
