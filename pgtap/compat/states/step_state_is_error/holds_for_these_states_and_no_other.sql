begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_is_error(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'error'
  ],
  'a step has failed for good in this state'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'enqueued', 'in_progress', 'enqueued_for_orchestration',
    'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'complete', 'cancelled',
    'resolved_manually'
  ],
  'a step has not failed for good in these states'
);

select * from finish();
rollback;
