begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select from tasker.reset_tasks('the bank is back', p_actor => 'ann');
select results_eq(
  $$ select l.event, l.actor, l.reason from tasker.workflow_step_transition_log as l
      where l.task_uuid = tasker_test.the_task() and l.actor = 'ann' $$,
  $$ select l.event, 'ann', 'the bank is back' from tasker.workflow_step_transition_log as l
      where l.task_uuid = tasker_test.the_task() and l.from_state = 'error' $$,
  'the step''s log has the actor and the reason'
);
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select tasker.give_up_task(tasker_test.the_task());
select from tasker.reset_tasks('once more', p_state => 'error', p_actor => 'bob');
select results_eq(
  $$ select l.actor, l.reason from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() and l.event = 'Reset' $$,
  $$ values ('bob', 'once more') $$, 'the log of a task that had ended has the actor and the reason'
);

select * from finish();
rollback;
