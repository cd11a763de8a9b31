begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_task_states() as s
   where tasker.task_state_can_be_processed(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'pending', 'waiting_for_dependencies', 'waiting_for_retry'
  ],
  'an orchestrator processes tasks in these states'
);
select set_eq(
  'execute states (false)',
  array[
    'initializing', 'enqueuing_steps', 'steps_in_process', 'evaluating_results', 'blocked_by_failures',
    'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'an orchestrator does not process tasks in these states'
);

select * from finish();
rollback;
