-- keep_urgent_jobs

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/functions/job/drop_jobs.sql
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
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

-- >>> db/schema/functions/job/drop_jobs.sql
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
-- <<<

reset role;
