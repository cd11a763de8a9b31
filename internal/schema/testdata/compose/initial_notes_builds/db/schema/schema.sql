-- Contents page and loader of a small schema that the tests change in many ways.
\set ON_ERROR_STOP on

-- migration: 20260101000100_foundation — the owner and the schema
-- role: none
\ir roles.sql
\ir tasker.sql

set local role tasker_owner;

-- migration: 20260101000200_jobs — jobs, and what works on them
\ir tables/schema_builds.sql
\ir types/lane.sql
\ir functions/internal/clock.sql
\ir tables/jobs.sql
\ir functions/job/job_age.sql
\ir functions/job/push_job.sql
\ir functions/job/drop_jobs.sql
\ir rows/lane_counts.sql
\ir functions/job/count_lanes.sql
\ir views/job_ages.sql
\ir functions/internal/touch_job.sql
\ir triggers/jobs_touch.sql
\ir data/jobs.sql

reset role;
