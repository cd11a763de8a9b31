create or replace view tasker.cron_jobs as
select
  ''::text as job_name,
  ''::text as schedule,
  ''::text as command,
  0::bigint as job_id
where false;

comment on view tasker.cron_jobs is
  'Row type: a maintenance call that pg_cron runs.';
