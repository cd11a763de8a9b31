create table tasker.task_state_machine (
  from_state  tasker.task_state  not null,
  event       text               not null,
  to_state    tasker.task_state  not null,
  position    smallint           not null,

  constraint task_state_machine_pkey
    primary key (from_state, event, to_state),
  constraint task_state_machine_from_state_fkey
    foreign key (from_state) references tasker.task_states (state),
  constraint task_state_machine_to_state_fkey
    foreign key (to_state) references tasker.task_states (state),
  constraint task_state_machine_position_key
    unique (from_state, to_state, position),
  constraint task_state_machine_no_self_edge_check
    check (from_state <> to_state),
  constraint task_state_machine_event_check
    check (event ~ '^[A-Z][A-Za-z]+$')
);

create index task_state_machine_to_state_idx
  on tasker.task_state_machine (to_state);

comment on index tasker.task_state_machine_to_state_idx is
  'Serves the foreign key to task_states.';

comment on table tasker.task_state_machine is
  'Every transition that a task may make. A transition that is not here cannot be logged, and so cannot happen.';
comment on column tasker.task_state_machine.position is
  'The rank among the events between the same two states. A caller that names no event means the event with rank 1.';
