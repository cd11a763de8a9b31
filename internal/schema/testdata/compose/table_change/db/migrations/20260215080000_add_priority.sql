-- Jobs have a priority. This header and what stands in the hand-written places are kept.

-- migrate:up
set local role tasker_owner;

-- >>> hand-written
alter table tasker.jobs
  add column priority integer not null default 0;
-- <<< hand-written

-- >>> db/schema/functions/job/push_job.sql
-- an old attempt, which is composed again
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

-- >>> hand-written
alter table tasker.jobs
  drop column priority;
-- <<< hand-written

reset role;
