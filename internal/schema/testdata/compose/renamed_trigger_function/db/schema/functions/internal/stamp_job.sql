create or replace function tasker.stamp_job()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.touched_at := tasker.clock();
  return new;
end;
$$;

comment on function tasker.stamp_job() is
  'Trigger function: notes the time of an update.';

revoke all on function tasker.stamp_job() from public;
