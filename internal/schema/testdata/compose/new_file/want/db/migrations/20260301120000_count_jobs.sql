-- count_jobs

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/tables/notes.sql
create table tasker.notes (
  job_id  bigint  not null,
  note    text    not null,

  constraint notes_pkey
    primary key (job_id, note)
);

comment on table tasker.notes is
  'What people write about jobs.';
-- <<<

-- >>> db/schema/functions/job/count_jobs.sql
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
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/job/count_jobs.sql: dropped
drop function tasker.count_jobs;
-- <<<

-- >>> db/schema/tables/notes.sql: dropped
drop table tasker.notes;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

reset role;
