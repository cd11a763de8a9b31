-- age_at

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/job_ages.sql: dropped
drop view tasker.job_ages;
-- <<<

-- >>> db/schema/functions/job/job_age.sql: dropped
drop function tasker.job_age;
-- <<<

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/functions/job/job_age.sql
create or replace function tasker.job_age(p_pushed_at timestamptz, p_now timestamptz default tasker.clock())
  returns interval
  language sql
  stable
begin atomic
  select p_now - p_pushed_at;
end;

comment on function tasker.job_age(timestamptz, timestamptz) is
  'How long ago something was pushed.';

revoke all on function tasker.job_age(timestamptz, timestamptz) from public;
-- <<<

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

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/job_ages.sql: dropped
drop view tasker.job_ages;
-- <<<

-- >>> db/schema/functions/job/job_age.sql: dropped
drop function tasker.job_age;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

-- >>> db/schema/functions/job/job_age.sql
create or replace function tasker.job_age(p_pushed_at timestamptz)
  returns interval
  language sql
  stable
begin atomic
  select tasker.clock() - p_pushed_at;
end;

comment on function tasker.job_age(timestamptz) is
  'How long ago something was pushed.';

revoke all on function tasker.job_age(timestamptz) from public;
-- <<<

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
