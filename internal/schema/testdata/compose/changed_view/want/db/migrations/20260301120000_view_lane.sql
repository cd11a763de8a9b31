-- view_lane

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/job_ages.sql: dropped
drop view tasker.job_ages;
-- <<<

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/views/job_ages.sql
create or replace view tasker.job_ages as
  select
    j.job_id,
    j.lane,
    tasker.job_age(j.pushed_at) as age
  from tasker.jobs as j;

comment on view tasker.job_ages is
  'Each job with its age.';
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/job_ages.sql: dropped
drop view tasker.job_ages;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

-- >>> db/schema/views/job_ages.sql
create or replace view tasker.job_ages as
  select
    j.job_id,
    tasker.job_age(j.pushed_at) as age
  from tasker.jobs as j;

comment on view tasker.job_ages is
  'Each job with its age.';
-- <<<

reset role;
