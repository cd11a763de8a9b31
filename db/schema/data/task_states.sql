-- down: delete from tasker.task_states;
insert into tasker.task_states (
  state, terminal, requires_ownership, active, waiting, can_be_processed, description
)
values
  ('pending',                  false, false, false, false, true,  'Created, not started.'),
  ('initializing',             false, true,  true,  false, false, 'Its first ready steps are being found.'),
  ('enqueuing_steps',          false, true,  true,  false, false, 'Ready steps are being put into the queue.'),
  ('steps_in_process',         false, true,  true,  false, false, 'Steps are in the queue or with workers.'),
  ('evaluating_results',       false, true,  true,  false, false, 'The next transition is being decided.'),
  ('waiting_for_dependencies', false, false, false, true,  true,  'Open steps remain, none of them ready.'),
  ('waiting_for_retry',        false, false, false, true,  true,  'Only steps that wait for their next attempt remain.'),
  ('blocked_by_failures',      false, false, false, true,  false, 'A step failed for good and nothing else can move: an operator decides.'),
  ('complete',                 true,  false, false, false, false, 'Every step is done.'),
  ('error',                    true,  false, false, false, false, 'Failed for good; an operator may reset it.'),
  ('cancelled',                true,  false, false, false, false, 'Called off.'),
  ('resolved_manually',        true,  false, false, false, false, 'Settled by an operator.');
