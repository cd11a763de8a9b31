-- notes

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/tables/schema_builds.sql
create table tasker.schema_builds (
  version  text  not null,
  files    text  not null,

  constraint schema_builds_pkey
    primary key (version)
);

comment on table tasker.schema_builds is
  'The files of db/schema that each applied migration was composed of. Migrations write it themselves, whichever program applies them.';
comment on column tasker.schema_builds.files is
  'A line for each file: its name, and the first 16 digits of its SHA-256, or "dropped".';

revoke all on table tasker.schema_builds from public;
-- <<<

insert into tasker.schema_builds (version, files) values ('20260301120000', 'data/jobs 9c27d17b717de02d
functions/internal/clock eaf193e5a8246d0b
functions/internal/touch_job 7b33dc1b4dc2dc67
functions/job/count_lanes a9add6e65810b020
functions/job/drop_jobs 38c9127b5df1a51d
functions/job/job_age 52f5c6b5bab9a206
functions/job/push_job 2e071ebe7ac7a6bb
roles 356f3676cb524e48
rows/lane_counts 9534a6631d69fe4d
tables/jobs 2133b44d865f235f
tables/schema_builds 83b450bab3fd2d4c
tasker 940a1b12296685a9
triggers/jobs_touch 3143ae39c03ed132
types/lane 4adc25371b12aa23
views/job_ages deec1fb9ef18e4a8
');

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20260301120000';

-- >>> db/schema/tables/schema_builds.sql: dropped
drop table tasker.schema_builds;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

reset role;
