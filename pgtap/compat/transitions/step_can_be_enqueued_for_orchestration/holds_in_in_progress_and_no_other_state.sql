begin;
select plan(2);

select tasker_test.make_task_with_steps_in_every_state();

prepare states (boolean) as
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name not like 'after%'
     and tasker.step_can_be_enqueued_for_orchestration(s.workflow_step_uuid) = $1;

select set_eq(
  'execute states (true)',
  array[
    'in_progress'
  ],
  'it holds for a step in this state'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'enqueued', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration',
    'waiting_for_retry', 'suspended', 'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'it does not hold for a step in any other state'
);

select * from finish();
rollback;
