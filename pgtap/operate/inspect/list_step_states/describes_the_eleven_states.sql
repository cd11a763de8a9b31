begin;
select plan(2);

select results_eq(
  $$
  select state::text, terminal, error, active, in_processing_pipeline, ready_for_claiming, satisfies_dependencies,
         settles_dependencies
    from tasker.list_step_states()
  $$,
  $$
  values
    --                                      terminal error  active pipeline claimable satisfies settles
    ('pending',                             false,   false, false, false,   false,    false,    false),
    ('enqueued',                            false,   false, false, true,    true,     false,    false),
    ('in_progress',                         false,   false, true,  true,    false,    false,    false),
    ('enqueued_for_orchestration',          false,   false, false, true,    false,    false,    false),
    ('enqueued_as_error_for_orchestration', false,   false, false, true,    false,    false,    false),
    ('waiting_for_retry',                   false,   false, false, false,   false,    false,    false),
    ('suspended',                           false,   false, false, false,   false,    false,    false),
    ('complete',                            true,    false, false, false,   false,    true,     true),
    ('error',                               true,    true,  false, false,   false,    false,    false),
    ('cancelled',                           true,    false, false, false,   false,    false,    true),
    ('resolved_manually',                   true,    false, false, false,   false,    true,     true)
  $$,
  'each state has the properties that are listed here'
);
select is_empty(
  $$ select state from tasker.list_step_states() where (description ~ '^[A-Z].+\.$') is not true $$,
  'each state has a sentence that describes it'
);

select * from finish();
rollback;
