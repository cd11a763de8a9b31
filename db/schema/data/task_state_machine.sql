-- down: delete from tasker.task_state_machine;
insert into tasker.task_state_machine (from_state, event, to_state, position)
values
  ('pending',                  'Start',               'initializing',             1),
  ('initializing',             'ReadyStepsFound',     'enqueuing_steps',          1),
  ('initializing',             'NoStepsFound',        'complete',                 1),
  ('initializing',             'NoDependenciesReady', 'waiting_for_dependencies', 1),
  ('enqueuing_steps',          'StepsEnqueued',       'steps_in_process',         1),
  ('enqueuing_steps',          'EnqueueFailed',       'error',                    1),
  ('steps_in_process',         'StepCompleted',       'evaluating_results',       1),
  ('steps_in_process',         'AllStepsCompleted',   'evaluating_results',       2),
  ('steps_in_process',         'StepFailed',          'waiting_for_retry',        1),
  ('evaluating_results',       'AllStepsSuccessful',  'complete',                 1),
  ('evaluating_results',       'ReadyStepsFound',     'enqueuing_steps',          1),
  ('evaluating_results',       'NoDependenciesReady', 'waiting_for_dependencies', 1),
  ('evaluating_results',       'PermanentFailure',    'blocked_by_failures',      1),
  ('evaluating_results',       'RetryPending',        'waiting_for_retry',        1),
  ('waiting_for_dependencies', 'DependenciesReady',   'evaluating_results',       1),
  ('waiting_for_retry',        'RetryReady',          'enqueuing_steps',          1),
  ('waiting_for_retry',        'StepCompleted',       'evaluating_results',       1),
  ('blocked_by_failures',      'Unblocked',           'evaluating_results',       1),
  ('blocked_by_failures',      'GiveUp',              'error',                    1),
  ('blocked_by_failures',      'ManualResolution',    'resolved_manually',        1),
  ('error',                    'Reset',               'pending',                  1),
  -- A step of the task runs again (tasker.rerun_step).
  ('error',                    'Rerun',               'pending',                  2),
  ('complete',                 'Rerun',               'pending',                  1);

-- Every state that is not terminal can be cancelled or time out. Where another event already
-- leads to error, Timeout has position 2.
insert into tasker.task_state_machine (from_state, event, to_state, position)
select
  s.state,
  e.event,
  e.to_state,
  1 + (
    select count(*)
      from tasker.task_state_machine as m
     where m.from_state = s.state
       and m.to_state = e.to_state
  )
from tasker.task_states as s
cross join (values
  ('Cancel', 'cancelled'::tasker.task_state),
  ('Timeout', 'error'::tasker.task_state)
) as e (event, to_state)
where not s.terminal;
