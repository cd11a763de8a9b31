begin;
select plan(2);

select results_eq(
  'select state::text, terminal, requires_ownership, active, waiting, can_be_processed from tasker.list_task_states()',
  $$
  values
    --                           terminal owned  active waiting processable
    ('pending',                  false,   false, false, false,  true),
    ('initializing',             false,   true,  true,  false,  false),
    ('enqueuing_steps',          false,   true,  true,  false,  false),
    ('steps_in_process',         false,   true,  true,  false,  false),
    ('evaluating_results',       false,   true,  true,  false,  false),
    ('waiting_for_dependencies', false,   false, false, true,   true),
    ('waiting_for_retry',        false,   false, false, true,   true),
    ('blocked_by_failures',      false,   false, false, true,   false),
    ('complete',                 true,    false, false, false,  false),
    ('error',                    true,    false, false, false,  false),
    ('cancelled',                true,    false, false, false,  false),
    ('resolved_manually',        true,    false, false, false,  false)
  $$,
  'each state has the properties that are listed here'
);
select is_empty(
  $$ select state from tasker.list_task_states() where (description ~ '^[A-Z].+\.$') is not true $$,
  'each state has a sentence that describes it'
);

select * from finish();
rollback;
