-- grant_drop

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/job/push_job.sql: dropped
drop function tasker.push_job;
-- <<<

-- >>> hand-written
-- Table changes: alter table …
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
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/job/push_job.sql: dropped
drop function tasker.push_job;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
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

reset role;
