begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_satisfies_dependencies(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'complete', 'resolved_manually'
  ],
  'these states satisfy the dependencies of children'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'enqueued', 'in_progress', 'enqueued_for_orchestration',
    'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error', 'cancelled'
  ],
  'these states do not satisfy the dependencies of children'
);

select * from finish();
rollback;
