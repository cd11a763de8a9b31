-- A table that another table refers to is copied into the hand-written place.

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- >>> db/schema/tables/workers.sql
create table tasker.workers (
  name  text  not null,

  constraint workers_pkey
    primary key (name)
);

comment on table tasker.workers is
  'Who takes jobs.';
-- <<<

alter table tasker.jobs
  add column worker text,
  add constraint jobs_worker_fkey
    foreign key (worker) references tasker.workers (name);
-- <<< hand-written

-- >>> db/schema/views/idle_workers.sql
create or replace view tasker.idle_workers as
  select
    w.name
  from tasker.workers as w
  where not exists (select from tasker.jobs as j where j.worker = w.name);
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/views/idle_workers.sql: dropped
drop view tasker.idle_workers;
-- <<<

-- >>> hand-written
alter table tasker.jobs
  drop column worker;
drop table tasker.workers;
-- <<< hand-written

reset role;
