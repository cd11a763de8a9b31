create table tasker.step_sweeps (
  sweep        text               not null,
  start_state  tasker.step_state  not null,
  position     smallint           not null,
  from_state   tasker.step_state  not null,
  event        text               not null,
  to_state     tasker.step_state  not null,
  last         boolean            not null,

  constraint step_sweeps_pkey
    primary key (sweep, start_state, position),
  constraint step_sweeps_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.step_state_machine (from_state, event, to_state),
  constraint step_sweeps_sweep_check
    check (sweep in ('cancel', 'fail', 'reset', 'undo')),
  constraint step_sweeps_first_check
    check (position > 1 or from_state = start_state)
);

create index step_sweeps_transition_idx
  on tasker.step_sweeps (from_state, event, to_state);

comment on index tasker.step_sweeps_transition_idx is
  'Serves the foreign key to step_state_machine.';

comment on table tasker.step_sweeps is
  'How a task''s steps move when the task is cancelled, fails, is reset or is undone: the transitions for each state of a step.';
