begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.finish('right', '{"kept": true}');
select tasker_test.fail_for_good('left');
select tasker.give_up_task(tasker_test.the_task());

select ok(tasker.reset_task(tasker_test.the_task(), 'the bank is back', 'ann'), 'reset_task returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=complete bottom=pending',
  'the failed step is enqueued, and complete steps stay complete'
);
select is(
  (select s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('right')),
  '{"kept": true}', 'complete steps keep their results'
);
select results_eq(
  $$
  select s.attempts, s.claim_no, s.last_error
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step('left')
  $$,
  $$ values (0, 1, 'the bank is closed') $$,
  'the attempts are reset, the claim number and the error are kept'
);
select tasker_test.run('left', 'bottom');
select is(
  tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the task completes'
);
select results_eq(
  $$
  select l.event
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.event in ('GiveUp', 'Reset', 'AllStepsSuccessful')
   order by l.sort_key
  $$,
  $$ values ('GiveUp'), ('Reset'), ('AllStepsSuccessful') $$,
  'the log of the task has the reset'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
