create or replace view tasker.job_ages as
  select
    j.job_id,
    tasker.job_age(j.pushed_at) as age
  from tasker.jobs as j;

comment on view tasker.job_ages is
  'Each job with its age.';
