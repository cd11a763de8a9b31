begin;
select plan(2);

create temporary table expected (from_state text, event text, to_state text);

insert into expected values
  -- The diagram, without the legacy paths.
  ('pending',                             'Enqueue',                 'enqueued'),
  ('enqueued',                            'Start',                   'in_progress'),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_for_orchestration'),
  ('enqueued_for_orchestration',          'Complete',                'complete'),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration'),
  ('enqueued_as_error_for_orchestration', 'WaitForRetry',            'waiting_for_retry'),
  ('enqueued_as_error_for_orchestration', 'Fail',                    'error'),
  ('waiting_for_retry',                   'Retry',                   'pending'),
  ('pending',                             'Fail',                    'error'),
  ('enqueued',                            'Fail',                    'error'),
  ('pending',                             'Cancel',                  'cancelled'),
  ('enqueued',                            'Cancel',                  'cancelled'),
  ('in_progress',                         'Cancel',                  'cancelled'),
  ('enqueued_for_orchestration',          'Cancel',                  'cancelled'),
  ('enqueued_as_error_for_orchestration', 'Cancel',                  'cancelled'),
  ('waiting_for_retry',                   'Cancel',                  'cancelled'),
  ('error',                               'Cancel',                  'cancelled'),
  ('pending',                             'ResolveManually',         'resolved_manually'),
  ('enqueued',                            'ResolveManually',         'resolved_manually'),
  ('in_progress',                         'ResolveManually',         'resolved_manually'),
  ('enqueued_for_orchestration',          'ResolveManually',         'resolved_manually'),
  ('enqueued_as_error_for_orchestration', 'ResolveManually',         'resolved_manually'),
  ('waiting_for_retry',                   'ResolveManually',         'resolved_manually'),
  ('error',                               'ResolveManually',         'resolved_manually'),
  -- The additions: retries and resets, released and lost steps, results by hand, retries given up, skipped steps.
  ('error',                               'Retry',                   'pending'),
  ('error',                               'Reset',                   'pending'),
  ('in_progress',                         'Release',                 'enqueued'),
  ('in_progress',                         'LeaseExpired',            'enqueued'),
  ('pending',                             'CompleteManually',        'complete'),
  ('enqueued',                            'CompleteManually',        'complete'),
  ('in_progress',                         'CompleteManually',        'complete'),
  ('waiting_for_retry',                   'CompleteManually',        'complete'),
  ('error',                               'CompleteManually',        'complete'),
  ('waiting_for_retry',                   'Fail',                    'error'),
  ('pending',                             'Skip',                    'cancelled'),
  -- Steps that wait without a worker.
  ('pending',                             'Suspend',                 'suspended'),
  ('in_progress',                         'Suspend',                 'suspended'),
  ('enqueued_for_orchestration',          'Suspend',                 'suspended'),
  ('suspended',                           'Resume',                  'enqueued'),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_for_orchestration'),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration'),
  ('suspended',                           'CompleteManually',        'complete'),
  ('suspended',                           'Fail',                    'error'),
  ('suspended',                           'Cancel',                  'cancelled'),
  ('suspended',                           'Skip',                    'cancelled'),
  ('suspended',                           'ResolveManually',         'resolved_manually'),
  -- Maps: an instance that may fail, and the map itself, which has no handler.
  ('error',                               'Tolerate',                'cancelled'),
  ('pending',                             'Complete',                'complete'),
  -- A result is corrected: the step and all that depend on it run again.
  ('complete',                            'Rerun',                   'pending'),
  ('resolved_manually',                   'Rerun',                   'pending'),
  ('error',                               'Rerun',                   'pending'),
  ('cancelled',                           'Rerun',                   'pending'),
  ('enqueued',                            'Rerun',                   'pending'),
  ('in_progress',                         'Rerun',                   'pending'),
  ('enqueued_for_orchestration',          'Rerun',                   'pending'),
  ('enqueued_as_error_for_orchestration', 'Rerun',                   'pending'),
  ('waiting_for_retry',                   'Rerun',                   'pending'),
  ('suspended',                           'Rerun',                   'pending');

select is_empty(
  $$
  select from_state::text, event, to_state::text
    from tasker.list_step_transitions()
  except all select *
      from expected
  $$,
  'a step has no other transitions'
);
select is_empty(
  $$
  select *
    from expected
  except all select from_state::text, event, to_state::text
      from tasker.list_step_transitions()
  $$,
  'a step has all of these transitions'
);

select * from finish();
rollback;
