begin;
select plan(1);

select results_eq(
  $$
  select m.from_state::text, m.to_state::text, array_agg(m.event order by m.position)
    from tasker.list_task_transitions() as m
   group by m.from_state, m.to_state
  having count(*) > 1
   order by m.from_state, m.to_state
  $$,
  $$
  values
    ('enqueuing_steps',     'error',              array['EnqueueFailed', 'Timeout']),
    ('steps_in_process',    'evaluating_results', array['StepCompleted', 'AllStepsCompleted']),
    ('blocked_by_failures', 'error',              array['GiveUp', 'Timeout']),
    ('error',               'pending',            array['Reset', 'Rerun'])
  $$,
  'the usual event comes first where two events lead to the same state'
);

select * from finish();
rollback;
