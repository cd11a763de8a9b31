-- added_column

-- migrate:up
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> hand-written
-- Table changes: alter table …
-- <<< hand-written

-- >>> db/schema/rows/lane_counts.sql
create or replace view tasker.lane_counts as
select
  'low'::tasker.lane as lane,
  null::bigint as jobs,
  null::timestamptz as oldest
where false;

comment on view tasker.lane_counts is
  'Row type: how many jobs a lane has, and since when.';
comment on column tasker.lane_counts.oldest is
  'When the oldest of them was pushed.';

revoke all on table tasker.lane_counts from public;
-- <<<

reset role;

-- migrate:down
set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it.
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/job/count_lanes.sql: dropped
drop function tasker.count_lanes;
-- <<<

-- >>> db/schema/rows/lane_counts.sql: dropped
drop view tasker.lane_counts;
-- <<<

-- >>> hand-written
-- What undoes the table changes of the up part.
-- <<< hand-written

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

reset role;
