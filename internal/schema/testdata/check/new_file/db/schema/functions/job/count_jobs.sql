create or replace function tasker.count_jobs()
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (select count(*) from tasker.jobs as j);
end;
$$;

comment on function tasker.count_jobs() is
  'How many jobs there are.';

revoke all on function tasker.count_jobs() from public;
