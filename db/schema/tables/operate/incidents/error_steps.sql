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
  'Serves the list of the steps that failed with a cause, page by page.';

comment on table tasker.error_steps is
  'Steps whose newest result is a failure, with the cause of the failure. A row is deleted when the step has continued. The table has no foreign key to run tables, because retention drops their partitions.';
comment on column tasker.error_steps.sort_key is
  'The sort_key of the log row that recorded the failure. A failure with the same sort_key or a lower one is not counted again.';
comment on column tasker.error_steps.stands is
  'failed: the step is in error and its task is open; retrying: the step will be tried again; over: the step has continued, or its task has ended.';
