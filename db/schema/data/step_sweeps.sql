-- down: delete from tasker.step_sweeps;
-- Cancel: every open step is cancelled for good.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
select
  'cancel',
  s.state,
  1,
  s.state,
  'Cancel',
  'cancelled',
  true
from tasker.step_states as s
where not s.terminal;

-- Fail: steps that run or would run fail, so that a reset can bring them back. Recorded results are kept. Steps that
-- have not started stay pending.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('fail', 'enqueued', 1, 'enqueued', 'Fail', 'error', true),
  ('fail', 'in_progress', 1,
   'in_progress', 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', false),
  ('fail', 'in_progress', 2,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true),
  ('fail', 'enqueued_for_orchestration', 1,
   'enqueued_for_orchestration', 'Complete', 'complete', true),
  ('fail', 'enqueued_as_error_for_orchestration', 1,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true),
  ('fail', 'waiting_for_retry', 1, 'waiting_for_retry', 'Fail', 'error', true),
  ('fail', 'suspended', 1, 'suspended', 'Fail', 'error', true);

-- Undo: steps that have not started are cancelled. Recorded results are kept. Steps in progress end first.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('undo', 'pending', 1, 'pending', 'Cancel', 'cancelled', true),
  ('undo', 'enqueued', 1, 'enqueued', 'Cancel', 'cancelled', true),
  ('undo', 'waiting_for_retry', 1, 'waiting_for_retry', 'Cancel', 'cancelled', true),
  ('undo', 'suspended', 1, 'suspended', 'Cancel', 'cancelled', true),
  ('undo', 'enqueued_for_orchestration', 1,
   'enqueued_for_orchestration', 'Complete', 'complete', true),
  ('undo', 'enqueued_as_error_for_orchestration', 1,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true);

-- Reset: failed steps start again. Finished steps stay finished.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('reset', 'error', 1, 'error', 'Reset', 'pending', true);
