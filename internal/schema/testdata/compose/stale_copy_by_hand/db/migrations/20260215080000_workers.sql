-- A table that another table refers to is copied into the hand-written place.

-- migrate:up
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

reset role;

-- migrate:down
set local role tasker_owner;

-- >>> hand-written
alter table tasker.jobs
  drop column worker;
drop table tasker.workers;
-- <<< hand-written

reset role;
