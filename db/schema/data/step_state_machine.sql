-- down: delete from tasker.step_state_machine;
insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',                             'Enqueue',                 'enqueued',                            1),
  ('pending',                             'Fail',                    'error',                               1),
  ('enqueued',                            'Start',                   'in_progress',                         1),
  ('enqueued',                            'Fail',                    'error',                               1),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_for_orchestration',          1),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', 1),
  ('in_progress',                         'Release',                 'enqueued',                            1),
  ('in_progress',                         'LeaseExpired',            'enqueued',                            2),
  ('enqueued_for_orchestration',          'Complete',                'complete',                            1),
  ('enqueued_as_error_for_orchestration', 'WaitForRetry',            'waiting_for_retry',                   1),
  ('enqueued_as_error_for_orchestration', 'Fail',                    'error',                               1),
  ('waiting_for_retry',                   'Retry',                   'pending',                             1),
  ('waiting_for_retry',                   'Fail',                    'error',                               1),
  ('pending',                             'Suspend',                 'suspended',                           1),
  ('in_progress',                         'Suspend',                 'suspended',                           1),
  ('enqueued_for_orchestration',          'Suspend',                 'suspended',                           1),
  ('suspended',                           'Resume',                  'enqueued',                            1),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_for_orchestration',          1),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', 1),
  ('suspended',                           'Fail',                    'error',                               1),
  ('error',                               'Retry',                   'pending',                             1),
  ('error',                               'Reset',                   'pending',                             2),
  ('error',                               'Cancel',                  'cancelled',                           1);

-- Every state that is neither done nor failed can be cancelled. Every state that is not done can be
-- settled by hand, with results or without.
insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'Cancel',
  'cancelled',
  1
from tasker.step_states as s
where not s.terminal;

insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',   'Skip', 'cancelled', 2),
  ('suspended', 'Skip', 'cancelled', 2),
  -- Maps: an instance whose failure is allowed, and the map itself, which no handler runs.
  ('error',   'Tolerate', 'cancelled', 2),
  ('pending', 'Complete', 'complete',  2);

insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'ResolveManually',
  'resolved_manually',
  1
from tasker.step_states as s
where not s.terminal
   or s.state = 'error';

insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',           'CompleteManually', 'complete', 1),
  ('enqueued',          'CompleteManually', 'complete', 1),
  ('in_progress',       'CompleteManually', 'complete', 1),
  ('waiting_for_retry', 'CompleteManually', 'complete', 1),
  ('suspended',         'CompleteManually', 'complete', 1),
  ('error',             'CompleteManually', 'complete', 1);

-- A step whose result must be corrected runs again. Each step that depends on it also runs again
-- (tasker.rerun_step).
insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'Rerun',
  'pending',
  1 + (
    select count(*)
      from tasker.step_state_machine as m
     where m.from_state = s.state
       and m.to_state = 'pending'
  )
from tasker.step_states as s
where s.state <> 'pending';
