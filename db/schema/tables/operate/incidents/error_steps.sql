create table tasker.error_steps (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  fingerprint      bigint       not null,
  named_task_uuid  uuid         not null,
  sort_key         integer      not null,
  failed_at        timestamptz  not null,
  stands           text         not null,

  constraint error_steps_pkey
    primary key (task_uuid, step_no),
  constraint error_steps_stands_check
    check (stands in ('failed', 'retrying', 'over'))
);

create index error_steps_cause_idx
  on tasker.error_steps (fingerprint, stands, task_uuid, step_no);

comment on index tasker.error_steps_cause_idx is
  'Serves the steps that stand for a cause, page by page.';

comment on table tasker.error_steps is
  'Steps whose newest result is a failure, with its cause. A row is deleted when the step has gone on. No foreign key leads to run tables, which are dropped by partition.';
comment on column tasker.error_steps.sort_key is
  'The row of the step''s log that recorded the failure: an earlier row is not counted again.';
comment on column tasker.error_steps.stands is
  'failed: the step is in error and its task is open; retrying: it is tried again; over: it has gone on, or its task has ended.';
