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
  'How many rows of tasker.error_steps a cause has, for each template. Triggers keep these counts, so that no judgement counts steps.';
