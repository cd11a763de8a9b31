create table tasker.cron_fields (
  minutes     integer[]  not null,
  hours       integer[]  not null,
  days        integer[]  not null,
  months      integer[]  not null,
  weekdays    integer[]  not null,
  either_day  boolean    not null,

  constraint cron_fields_row_type_check
    check (false) no inherit
);

comment on table tasker.cron_fields is
  'Row type: a cron expression, field by field. Weekdays are 0 (Sunday) to 6.';
comment on column tasker.cron_fields.either_day is
  'Whether day of month and weekday are both restricted: then either of them will do.';

revoke all on table tasker.cron_fields from public;
