create or replace function tasker.drop_jobs()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.jobs as j where j.lane = 'low';
end;
$$;

comment on function tasker.drop_jobs() is
  'Deletes every job that is not urgent.';

revoke all on function tasker.drop_jobs() from public;
