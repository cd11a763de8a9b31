create table tasklib.claimed_tasks (
  id               uuid         not null,
  name             text         not null,
  claim_no         integer      not null,
  retry_count      integer      not null,
  max_retries      integer      not null,
  timeout_seconds  integer,
  priority         integer      not null,
  created_at       timestamptz  not null,
  scheduled_at     timestamptz  not null,
  started_at       timestamptz  not null,
  locked_until     timestamptz  not null,
  kwargs           jsonb        not null,
  tags             jsonb,

  constraint claimed_tasks_row_type_check
    check (false) no inherit
);

comment on table tasklib.claimed_tasks is
  'Row type: a claimed task with the data that its worker needs.';

revoke all on table tasklib.claimed_tasks from public;
