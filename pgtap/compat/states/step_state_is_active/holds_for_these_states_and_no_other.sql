begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_is_active(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'in_progress'
  ],
  'a worker runs the step in this state'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'enqueued', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration',
    'waiting_for_retry', 'suspended', 'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'no worker runs the step in these states'
);

select * from finish();
rollback;
