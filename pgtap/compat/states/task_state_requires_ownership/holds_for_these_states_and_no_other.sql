begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_task_states() as s
   where tasker.task_state_requires_ownership(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'initializing', 'enqueuing_steps', 'steps_in_process', 'evaluating_results'
  ],
  'a task has an owner in these states'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'waiting_for_dependencies', 'waiting_for_retry', 'blocked_by_failures', 'complete', 'error',
    'cancelled', 'resolved_manually'
  ],
  'a task has no owner in these states'
);

select * from finish();
rollback;
