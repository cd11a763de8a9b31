create table tasker.step_moves (
  position           integer,
  task_uuid          uuid               not null,
  step_no            integer            not null,
  from_state         tasker.step_state  not null,
  first_event        text,
  via_state          tasker.step_state,
  event              text,
  to_state           tasker.step_state  not null,
  held_claim_no      integer,
  claim_no           integer,
  settled            integer,
  satisfied          integer,
  worker_uuid        uuid,
  lease_until        timestamptz,
  next_retry_at      timestamptz,
  visible_at         timestamptz,
  execution_time_ms  bigint,
  backoff_seconds    integer,
  actor              text,
  reason             text,
  error              text,
  result             jsonb,
  metadata           jsonb,
  transition_count   integer,
  priority           integer,
  named_step_uuid    uuid,
  moved_at           timestamptz,

  constraint step_moves_row_type_check
    check (false) no inherit
);

comment on table tasker.step_moves is
  'Row type: one move of one step as it was decided and, in the last four columns, as it was written by tasker.write_move or tasker.write_moves.';
comment on column tasker.step_moves.position is
  'The position in the call of the result that led to it; null for other moves.';
comment on column tasker.step_moves.from_state is
  'The state that the decision was made for: a step that has left it is not moved.';
comment on column tasker.step_moves.first_event is
  'The first of two transitions, which leads to via_state; null if there is only one.';
comment on column tasker.step_moves.event is
  'The transition that leads to to_state; null if the step keeps its state and only counts its settled parents.';
comment on column tasker.step_moves.held_claim_no is
  'The claim that the step must still be under; null: any.';
comment on column tasker.step_moves.claim_no is
  'The claim number that a Start assigns; once written, the step''s.';
comment on column tasker.step_moves.settled is
  'Parents that have settled with this move, null for none; satisfied: how many of their edges are satisfied.';
comment on column tasker.step_moves.visible_at is
  'From when on the queue row may be taken. Null does not change an existing queue row, which the claim has already written.';

revoke all on table tasker.step_moves from public;
