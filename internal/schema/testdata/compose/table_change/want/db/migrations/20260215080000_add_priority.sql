-- Jobs have a priority. This header and what stands in the hand-written places are kept.

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/job_ages.sql: dropped
drop view tasker.job_ages;
-- <<<

-- >>> db/schema/functions/job/push_job.sql: dropped
drop function tasker.push_job;
-- <<<

-- >>> hand-written
alter table tasker.jobs
  add column priority integer not null default 0;
-- <<< hand-written

-- >>> db/schema/functions/job/push_job.sql
create or replace function tasker.push_job(p_lane tasker.lane default 'low', p_priority integer default 0)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job_id bigint;
begin
  insert into tasker.jobs as j (lane, priority)
  values (p_lane, p_priority)
  returning j.job_id into v_job_id;
  return v_job_id;
end;
$$;

comment on function tasker.push_job(tasker.lane, integer) is
  'Adds a job and returns its number.';

revoke all on function tasker.push_job(tasker.lane, integer) from public;
grant execute on function tasker.push_job(tasker.lane, integer) to tasker_operator;
-- <<<

-- >>> db/schema/views/job_ages.sql
create or replace view tasker.job_ages as
  select
    j.job_id,
    j.priority,
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

-- >>> db/schema/functions/job/push_job.sql: dropped
drop function tasker.push_job;
-- <<<

-- >>> hand-written
alter table tasker.jobs
  drop column priority;
-- <<< hand-written

-- >>> db/schema/functions/job/push_job.sql
create or replace function tasker.push_job(p_lane tasker.lane default 'low')
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job_id bigint;
begin
  insert into tasker.jobs as j (lane)
  values (p_lane)
  returning j.job_id into v_job_id;
  return v_job_id;
end;
$$;

comment on function tasker.push_job(tasker.lane) is
  'Adds a job and returns its number.';

revoke all on function tasker.push_job(tasker.lane) from public;
grant execute on function tasker.push_job(tasker.lane) to tasker_operator;
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
