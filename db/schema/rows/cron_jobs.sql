create table tasker.cron_jobs (
  job_name  text     not null,
  schedule  text     not null,
  command   text     not null,
  job_id    bigint   not null,

  constraint cron_jobs_row_type_check
    check (false) no inherit
);

comment on table tasker.cron_jobs is
  'Row type: a maintenance call that pg_cron runs.';

revoke all on table tasker.cron_jobs from public;
