-- jobs: jobs, and what works on them
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

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

-- >>> db/schema/types/lane.sql
create type tasker.lane as enum ('high', 'low');

comment on type tasker.lane is
  'How urgent a job is; its ''order'' is that of the labels.';
-- <<<

-- >>> db/schema/functions/internal/clock.sql
create or replace function tasker.clock()
  returns timestamptz
  language sql
  stable
begin atomic
  select case when true then now() end;
end;

comment on function tasker.clock() is
  'The time; tests replace it.';

revoke all on function tasker.clock() from public;
-- <<<

-- >>> db/schema/tables/jobs.sql
create table tasker.jobs (
  job_id      bigint       not null  generated always as identity,
  lane        tasker.lane  not null  default 'low',
  pushed_at   timestamptz  not null  default tasker.clock(),
  touched_at  timestamptz,

  constraint jobs_pkey
    primary key (job_id)
);

create index jobs_lane_idx
  on tasker.jobs (lane, job_id);

comment on table tasker.jobs is
  'Work to be done.';
comment on index tasker.jobs_lane_idx is
  'Serves claims.';

revoke all on table tasker.jobs from public;
-- <<<

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

-- >>> db/schema/rows/lane_counts.sql
create or replace view tasker.lane_counts as
select
  'low'::tasker.lane as lane,
  0::bigint as jobs
where false;

comment on view tasker.lane_counts is
  'Row type: how many jobs a lane has.';

revoke all on table tasker.lane_counts from public;
-- <<<

-- >>> db/schema/functions/job/count_lanes.sql
create or replace function tasker.count_lanes()
  returns setof tasker.lane_counts
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select c.*
    from jsonb_populate_recordset(
      null::tasker.lane_counts,
      (select jsonb_agg(l) from (select j.lane, count(*) as jobs from tasker.jobs as j group by j.lane) as l)
    ) as c;
end;
$$;

comment on function tasker.count_lanes() is
  'Counts the jobs of each lane.';

revoke all on function tasker.count_lanes() from public;
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

-- >>> db/schema/data/jobs.sql
-- down: delete from tasker.jobs;
insert into tasker.jobs (lane) values ('high');
-- <<<

insert into tasker.schema_builds (version, files) values ('20260101000100', 'roles 356f3676cb524e48
tasker 940a1b12296685a9
');

insert into tasker.schema_builds (version, files) values ('20260101000200', 'data/jobs 9c27d17b717de02d
functions/internal/clock eaf193e5a8246d0b
functions/internal/touch_job 7b33dc1b4dc2dc67
functions/job/count_lanes a9add6e65810b020
functions/job/drop_jobs 38c9127b5df1a51d
functions/job/job_age 52f5c6b5bab9a206
functions/job/push_job 2e071ebe7ac7a6bb
rows/lane_counts 9534a6631d69fe4d
tables/jobs 2133b44d865f235f
tables/schema_builds 83b450bab3fd2d4c
triggers/jobs_touch 3143ae39c03ed132
types/lane 4adc25371b12aa23
views/job_ages deec1fb9ef18e4a8
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.jobs;
drop trigger jobs_touch on tasker.jobs;
drop function tasker.touch_job;
drop view tasker.job_ages;
drop function tasker.count_lanes;
drop view tasker.lane_counts;
drop function tasker.drop_jobs;
drop function tasker.push_job;
drop function tasker.job_age;
drop table tasker.jobs;
drop function tasker.clock;
drop type tasker.lane;
drop table tasker.schema_builds;

reset role;
