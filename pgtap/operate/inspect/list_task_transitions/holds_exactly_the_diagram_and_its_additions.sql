begin;
select plan(2);

create temporary table expected (from_state text, event text, to_state text);

insert into expected values
  -- The diagram.
  ('pending',                  'Start',               'initializing'),
  ('initializing',             'ReadyStepsFound',     'enqueuing_steps'),
  ('initializing',             'NoStepsFound',        'complete'),
  ('initializing',             'NoDependenciesReady', 'waiting_for_dependencies'),
  ('enqueuing_steps',          'StepsEnqueued',       'steps_in_process'),
  ('enqueuing_steps',          'EnqueueFailed',       'error'),
  ('steps_in_process',         'AllStepsCompleted',   'evaluating_results'),
  ('steps_in_process',         'StepCompleted',       'evaluating_results'),
  ('steps_in_process',         'StepFailed',          'waiting_for_retry'),
  ('evaluating_results',       'AllStepsSuccessful',  'complete'),
  ('evaluating_results',       'ReadyStepsFound',     'enqueuing_steps'),
  ('evaluating_results',       'NoDependenciesReady', 'waiting_for_dependencies'),
  ('evaluating_results',       'PermanentFailure',    'blocked_by_failures'),
  ('waiting_for_dependencies', 'DependenciesReady',   'evaluating_results'),
  ('waiting_for_retry',        'RetryReady',          'enqueuing_steps'),
  ('blocked_by_failures',      'GiveUp',              'error'),
  ('blocked_by_failures',      'ManualResolution',    'resolved_manually'),
  ('pending',                  'Cancel',              'cancelled'),
  ('initializing',             'Cancel',              'cancelled'),
  ('enqueuing_steps',          'Cancel',              'cancelled'),
  ('steps_in_process',         'Cancel',              'cancelled'),
  ('evaluating_results',       'Cancel',              'cancelled'),
  ('waiting_for_dependencies', 'Cancel',              'cancelled'),
  ('waiting_for_retry',        'Cancel',              'cancelled'),
  ('blocked_by_failures',      'Cancel',              'cancelled'),
  ('error',                    'Reset',               'pending'),
  ('error',                    'Rerun',               'pending'),
  ('complete',                 'Rerun',               'pending'),
  -- The additions: a deadline in any open state, retries found during evaluation, and ways back.
  ('pending',                  'Timeout',             'error'),
  ('initializing',             'Timeout',             'error'),
  ('enqueuing_steps',          'Timeout',             'error'),
  ('steps_in_process',         'Timeout',             'error'),
  ('evaluating_results',       'Timeout',             'error'),
  ('waiting_for_dependencies', 'Timeout',             'error'),
  ('waiting_for_retry',        'Timeout',             'error'),
  ('blocked_by_failures',      'Timeout',             'error'),
  ('evaluating_results',       'RetryPending',        'waiting_for_retry'),
  ('waiting_for_retry',        'StepCompleted',       'evaluating_results'),
  ('blocked_by_failures',      'Unblocked',           'evaluating_results');

select is_empty(
  $$
  select from_state::text, event, to_state::text
    from tasker.list_task_transitions()
  except all select *
      from expected
  $$,
  'a task has no other transitions'
);
select is_empty(
  $$
  select *
    from expected
  except all select from_state::text, event, to_state::text
      from tasker.list_task_transitions()
  $$,
  'a task has all of these transitions'
);

select * from finish();
rollback;
