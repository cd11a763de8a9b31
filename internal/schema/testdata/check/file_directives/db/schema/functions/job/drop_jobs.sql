create or replace function tasker.drop_jobs()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.jobs;
end;
$$;

comment on function tasker.drop_jobs() is
  'Deletes every job.';

revoke all on function tasker.drop_jobs() from public;
-- down: drop function tasker.drop_jobs;
