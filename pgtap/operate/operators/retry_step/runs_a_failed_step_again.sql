begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select tasker_test.finish('right');
update tasker.workflow_steps set lost_count = 3 where workflow_step_uuid = tasker_test.the_step('left');

select ok(tasker.retry_step(tasker_test.the_step('left'), 'the bank is back', 'ann'), 'retry_step returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=complete bottom=pending', 'the task continues'
);
select results_eq(
  $$
  select s.attempts, s.lost_count, s.claim_no
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step('left')
  $$,
  'values (0, 0, 1)', 'the attempts are reset, and the claim number is kept'
);
select is(tasker_test.last_entry('left'), 'Retry by ann for the bank is back', 'the log has the actor and the reason');
select tasker_test.run('left', 'bottom');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
