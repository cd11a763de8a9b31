create table tasklib.task_details (
  id               uuid                not null,
  name             text                not null,
  state            tasklib.task_state  not null,
  priority         integer             not null,
  created_at       timestamptz         not null,
  submitted_by     text                not null,
  scheduled_at     timestamptz         not null,
  started_at       timestamptz,
  completed_at     timestamptz,
  locked_until     timestamptz,
  worker_id        text,
  claim_no         integer             not null,
  retry_count      integer             not null,
  max_retries      integer             not null,
  next_retry_at    timestamptz,
  timeout_seconds  integer,
  expires_at       timestamptz,
  dedup_key        text,
  limit_key        text,
  kwargs           jsonb               not null,
  tags             jsonb,
  result           jsonb,
  error            text,

  constraint task_details_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_details is
  'Row type: a task with all its data, except columns that only claims need.';

revoke all on table tasklib.task_details from public;
