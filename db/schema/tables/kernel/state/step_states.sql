create table tasker.step_states (
  state                   tasker.step_state  not null,
  terminal                boolean            not null,
  error                   boolean            not null,
  active                  boolean            not null,
  in_processing_pipeline  boolean            not null,
  ready_for_claiming      boolean            not null,
  satisfies_dependencies  boolean            not null,
  settles_dependencies    boolean            not null,
  description             text               not null,

  constraint step_states_pkey
    primary key (state),
  constraint step_states_active_check
    check (in_processing_pipeline or not (active or ready_for_claiming)),
  constraint step_states_terminal_check
    check (not (terminal and in_processing_pipeline)),
  constraint step_states_settles_check
    check (settles_dependencies or not satisfies_dependencies)
);

comment on table tasker.step_states is
  'The meaning of each state of a step. Functions and documentation read this data. Only a migration changes it.';
comment on column tasker.step_states.settles_dependencies is
  'Whether children stop waiting for a step in this state, whether or not their edge is satisfied. A failed step is not settled: it blocks its children.';
