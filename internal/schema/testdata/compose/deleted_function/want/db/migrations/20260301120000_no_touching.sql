-- no_touching

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/triggers/jobs_touch.sql: dropped
drop trigger jobs_touch on tasker.jobs;
-- <<<

-- >>> db/schema/functions/internal/touch_job.sql: dropped
drop function tasker.touch_job;
-- <<<

-- >>> db/schema/functions/job/drop_jobs.sql: dropped
drop function tasker.drop_jobs;
-- <<<

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

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

-- >>> db/schema/functions/internal/touch_job.sql
create or replace function tasker.touch_job()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.touched_at := tasker.clock();
  return new;
end;
$$;

comment on function tasker.touch_job() is
  'Trigger function: notes the time of an update.';

revoke all on function tasker.touch_job() from public;
-- <<<

-- >>> db/schema/triggers/jobs_touch.sql
create or replace trigger jobs_touch
  before update on tasker.jobs
  for each row
  execute function tasker.touch_job();

comment on trigger jobs_touch on tasker.jobs is
  'Notes the time of each update.';
-- <<<

reset role;
