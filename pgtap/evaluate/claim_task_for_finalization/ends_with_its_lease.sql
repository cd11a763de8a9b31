begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);

select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a', 10), 'a claim of ten seconds'
);
select tasker_test.pass('9 seconds');
select is(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false, 'holds nine'
);
select is(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), false,
  'nobody else completes the task meanwhile'
);
select tasker_test.pass('1 second');
select ok(
  tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'),
  'then the claimant is taken for dead, and blocks nobody'
);
select is(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a'), false, 'which it hears if it is not'
);
select ok(
  tasker.finalize_task_completion(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000b'), 'the second completes the task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
