begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker.continue_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), '{}');
select tasker_test.keep(1, 'ship', null, 'no truck');
select tasker_test.fail_for_good('work');
select tasker.retry_step(tasker_test.the_step('work'));
select is_empty(
  $$ select k.value from tasker.get_kept_results(tasker_test.the_step('work')) as k $$, 'a retry makes the first call of a later round again'
);
select tasker_test.run_function();
select tasker_test.keep(1, 'ship', null, 'no truck');
select tasker_test.fail_for_good('work');
select tasker.transition_step_state_atomic(tasker_test.the_step('work'), 'error', 'pending', p_metadata => '{"event": "Retry"}');
select is_empty(
  $$ select k.value from tasker.get_kept_results(tasker_test.the_step('work')) as k $$, 'a direct retry does the same'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
