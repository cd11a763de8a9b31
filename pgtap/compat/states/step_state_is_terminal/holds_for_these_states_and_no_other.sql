begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_is_terminal(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'a step has ended in these states'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'enqueued', 'in_progress', 'enqueued_for_orchestration',
    'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended'
  ],
  'a step has not ended in these states'
);

select * from finish();
rollback;
