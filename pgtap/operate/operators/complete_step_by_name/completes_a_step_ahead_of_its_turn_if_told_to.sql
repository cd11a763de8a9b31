begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'left', '{}', p_early => null) $$,
  'TK409', 'step "left" still waits for other steps', 'a null p_early does not complete a step early'
);
select throws_like(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'left', '{"by": "ann"}', p_early => true) $$,
  'step % has never run and its dependencies are not met: completing it needs a reason', 'an early completion needs a reason'
);
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'left', '{"by": "ann"}', 'known before', p_early => true), true, 'p_early completes a step before its parents');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
