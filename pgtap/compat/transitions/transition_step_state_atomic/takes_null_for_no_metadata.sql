begin;
select plan(2);

select tasker_test.start_task();

select ok(
  tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'enqueued', 'in_progress', null, null),
  'null is accepted'
);
select is(
  (
    select l.metadata is null
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.sort_key = 2
  ),
  true,
  'the log row has no metadata'
);

select * from finish();
rollback;
