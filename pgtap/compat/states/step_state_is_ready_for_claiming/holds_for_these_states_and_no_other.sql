begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_is_ready_for_claiming(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'enqueued'
  ],
  'a worker may claim a step in this state'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration',
    'waiting_for_retry', 'suspended', 'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'a worker may not claim a step in these states'
);

select * from finish();
rollback;
