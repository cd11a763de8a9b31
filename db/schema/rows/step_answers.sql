create table tasker.step_answers (
  step_uuid      uuid         not null,
  claim_no       integer      not null,
  answer         text         not null,
  next_retry_at  timestamptz,

  constraint step_answers_row_type_check
    check (false) no inherit
);

comment on table tasker.step_answers is
  'Row type: the answer to one step''s result.';
comment on column tasker.step_answers.answer is
  'completed; retrying, failed; recorded (an orchestrator processes it); already_complete; stale (the claim is no longer the current one); cancelled; too_large; not_found; busy (another transaction holds the task: send it again).';

revoke all on table tasker.step_answers from public;
