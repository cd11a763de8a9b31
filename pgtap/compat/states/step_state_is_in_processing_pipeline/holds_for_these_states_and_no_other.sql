begin;
select plan(2);

prepare states (boolean) as
  select s.state::text
    from tasker.list_step_states() as s
   where tasker.step_state_is_in_processing_pipeline(s.state::text) = $1;

select set_eq(
  'execute states (true)',
  array[
    'enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'
  ],
  'a step is in the pipeline in these states'
);
select set_eq(
  'execute states (false)',
  array[
    'pending', 'waiting_for_retry', 'suspended', 'complete', 'error', 'cancelled', 'resolved_manually'
  ],
  'a step is not in the pipeline in these states'
);

select * from finish();
rollback;
