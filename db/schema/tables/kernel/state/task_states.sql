create table tasker.task_states (
  state               tasker.task_state  not null,
  terminal            boolean            not null,
  requires_ownership  boolean            not null,
  active              boolean            not null,
  waiting             boolean            not null,
  can_be_processed    boolean            not null,
  description         text               not null,

  constraint task_states_pkey
    primary key (state),
  constraint task_states_one_kind_check
    check (terminal::int + active::int + waiting::int <= 1)
);

comment on table tasker.task_states is
  'The meaning of each state of a task. Functions and documentation read this data. Only a migration changes it.';
