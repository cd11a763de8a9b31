create or replace trigger jobs_touch
  before update on tasker.jobs
  for each row
  execute function tasker.stamp_job();

comment on trigger jobs_touch on tasker.jobs is
  'Notes the time of each update.';
