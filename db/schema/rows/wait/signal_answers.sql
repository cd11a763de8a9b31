create table tasker.signal_answers (
  task_uuid   uuid     not null,
  created     boolean  not null,
  signal_no   integer  not null,
  answer      text     not null,
  step_uuid   uuid,

  constraint signal_answers_row_type_check
    check (false) no inherit
);

comment on table tasker.signal_answers is
  'Row type: what became of a signal.';
comment on column tasker.signal_answers.created is
  'Whether the call created the task.';
comment on column tasker.signal_answers.answer is
  'delivered: it ended the wait of step_uuid; kept: no step waits for it yet, the next one that does takes it; repeated: its idempotency key is known, and nothing was changed.';

revoke all on table tasker.signal_answers from public;
