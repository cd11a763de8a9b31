-- stamp_job

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

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/functions/internal/stamp_job.sql
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
-- <<<

-- >>> db/schema/triggers/jobs_touch.sql
create or replace trigger jobs_touch
  before update on tasker.jobs
  for each row
  execute function tasker.stamp_job();

comment on trigger jobs_touch on tasker.jobs is
  'Notes the time of each update.';
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/triggers/jobs_touch.sql: dropped
drop trigger jobs_touch on tasker.jobs;
-- <<<

-- >>> db/schema/functions/internal/stamp_job.sql: dropped
drop function tasker.stamp_job;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

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
