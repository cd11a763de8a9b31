begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);

select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a', 10), 'a processor claims the task for ten seconds'
);
select tasker_test.pass('9 seconds');
select is(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false, 'another processor gets no claim after nine seconds'
);
select is(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false,
  'another processor cannot complete the task during the claim'
);
select tasker_test.pass('1 second');
select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'),
  'another processor gets a claim after ten seconds'
);
select is(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), false, 'the first processor can no longer complete the task'
);
select ok(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), 'the second processor completes the task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
