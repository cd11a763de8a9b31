-- down: delete from tasker.step_states;
insert into tasker.step_states (
  state, terminal, error, active, in_processing_pipeline, ready_for_claiming,
  satisfies_dependencies, settles_dependencies, description
)
values
  ('pending',                             false, false, false, false, false, false, false, 'Waits for its parents, or to be enqueued.'),
  ('enqueued',                            false, false, false, true,  true,  false, false, 'In the queue, not yet claimed.'),
  ('in_progress',                         false, false, true,  true,  false, false, false, 'Claimed by a worker, under a lease.'),
  ('enqueued_for_orchestration',          false, false, false, true,  false, false, false, 'Its result is recorded and waits to be processed.'),
  ('enqueued_as_error_for_orchestration', false, false, false, true,  false, false, false, 'Its failure is recorded and waits to be processed.'),
  ('waiting_for_retry',                   false, false, false, false, false, false, false, 'Failed; its next attempt is due later.'),
  ('suspended',                           false, false, false, false, false, false, false, 'Waits, without a worker, for a signal, a time or another task.'),
  ('complete',                            true,  false, false, false, false, true,  true,  'Done.'),
  ('error',                               true,  true,  false, false, false, false, false, 'Failed for good; an operator may retry or resolve it.'),
  ('cancelled',                           true,  false, false, false, false, false, true,  'Cancelled, or skipped because its condition did not hold.'),
  ('resolved_manually',                   true,  false, false, false, false, true,  true,  'Settled by an operator.');
