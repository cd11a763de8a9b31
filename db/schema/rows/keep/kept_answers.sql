create table tasker.kept_answers (
  answer      text     not null,
  position    integer,
  name        text,
  occurrence  integer,
  value       jsonb,
  error       text,
  round       integer,

  constraint kept_answers_row_type_check
    check (false) no inherit
);

comment on table tasker.kept_answers is
  'Row type: the answer to a call of a durable function, and what is kept at its position.';
comment on column tasker.kept_answers.answer is
  'kept; known, if it was kept before; diverged, if another name is kept at this position; suspended; ended, if the wait was over at once; continued; stale; cancelled.';
comment on column tasker.kept_answers.round is
  'How often the function has continued with a new state.';

revoke all on table tasker.kept_answers from public;
