\ir roles.sql
-- migration: 20260101000100_foundation - a hyphen instead of a dash
-- migration: 20260101000200_jobs — jobs, and what works on them
-- Role: none
\ir types/lane.sql
\ir functions/internal/clock.sql
-- role: none
create table tasker.left_out ();
\i tables/jobs.sql
\ir tables/nothing.sql
-- migration: 20260101000150_empty — below the one before it
