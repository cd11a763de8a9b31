create table tasker.error_stands (
  fingerprint      bigint  not null,
  named_task_uuid  uuid    not null,
  failed           bigint  not null,
  retrying         bigint  not null,

  constraint error_stands_pkey
    primary key (fingerprint, named_task_uuid),
  constraint error_stands_steps_check
    check (failed >= 0 and retrying >= 0)
) with (fillfactor = 50);

comment on table tasker.error_stands is
  'The number of rows of tasker.error_steps for each cause and template. Triggers maintain these numbers, so that tasker.judge_incidents need not count steps.';
