-- analytics: totals, rollups and reports of what was done, audit, maintenance
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/data/operation_settings.sql
-- down: delete from tasker.settings as s where s.name in ('rollup_seconds', 'analytics_seconds', 'staleness_seconds', 'partition_seconds', 'retention_seconds', 'garbage_seconds', 'statistics_seconds', 'event_hours', 'rollup_days', 'stale_tasks_to_dlq');

insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('rollup_seconds', 'integer', '60', 1, 86400, 'How often maintenance updates the totals of finished work.'),
  ('analytics_seconds', 'integer', '900', 60, 86400, 'How often maintenance refreshes the materialised views behind the reports.'),
  ('staleness_seconds', 'integer', '300', 10, 86400, 'How often maintenance checks for stale tasks.'),
  ('partition_seconds', 'integer', '600', 10, 86400, 'How often maintenance checks whether partitions are missing.'),
  ('retention_seconds', 'integer', '300', 10, 86400, 'How often maintenance checks for partitions past their retention.'),
  ('garbage_seconds', 'integer', '300', 10, 86400, 'How often maintenance deletes unused identities and old archived messages.'),
  ('statistics_seconds', 'integer', '600', 10, 86400, 'How often maintenance checks whether statistics of partitioned tables are a day old.'),
  ('event_hours', 'integer', '168', 1, 87600, 'How long events are kept for waits that look back, in hours.'),
  ('rollup_days', 'integer', '90', 1, 3650, 'How long the rollups behind the reports are kept.'),
  ('stale_tasks_to_dlq', 'boolean', 'true', null, null, 'Whether maintenance moves stale tasks to the dead-letter queue. If off, they are only shown.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/tables/operate/analytics/rollup_state.sql
create table tasker.rollup_state (
  only_row         boolean      not null  default true,
  settled_until    timestamptz  not null  default '-infinity',
  rolled_up_until  timestamptz  not null  default '-infinity',
  hours_until      timestamptz  not null  default '-infinity',
  mark_at          timestamptz,
  mark_xid         xid8,

  constraint rollup_state_pkey
    primary key (only_row),
  constraint rollup_state_only_row_check
    check (only_row),
  constraint rollup_state_mark_check
    check (mark_xid is null or mark_at is not null)
);

comment on table tasker.rollup_state is
  'The times up to which the totals and rollups are computed. The table has one row.';
comment on column tasker.rollup_state.settled_until is
  'The time up to which work is counted for good. Later work is counted again at each update, because transactions that recorded such work may still be open.';
comment on column tasker.rollup_state.rolled_up_until is
  'The time when the totals and rollups were last updated.';
comment on column tasker.rollup_state.hours_until is
  'The time up to which the materialised views are computed.';
comment on column tasker.rollup_state.mark_xid is
  'Once all transactions up to this id have ended, the time before mark_at is settled. If this is null, that time is settled an hour after mark_at.';
-- <<<

-- >>> db/schema/data/rollup_state.sql
-- down: delete from tasker.rollup_state;

insert into tasker.rollup_state default values;
-- <<<

-- >>> db/schema/tables/operate/analytics/task_totals.sql
create table tasker.task_totals (
  partition_suffix  text     not null,
  named_task_uuid   uuid     not null,
  settled           boolean  not null,
  started           bigint   not null  default 0,
  completed         bigint   not null  default 0,
  failed            bigint   not null  default 0,
  cancelled         bigint   not null  default 0,
  resolved          bigint   not null  default 0,
  reset             bigint   not null  default 0,

  constraint task_totals_pkey
    primary key (partition_suffix, named_task_uuid, settled)
);

comment on table tasker.task_totals is
  'The number of tasks that were started, and of tasks that ended in each way, for each partition and template. The functions of health read counts of finished tasks only from this table. tasker.roll_up maintains this table.';
comment on column tasker.task_totals.settled is
  'Whether rollups add new work to the row. If false, each rollup counts the row again (tasker.rollup_state).';
comment on column tasker.task_totals.reset is
  'The number of times that a task went back from error to pending.';
-- <<<

-- >>> db/schema/tables/operate/analytics/step_totals.sql
create table tasker.step_totals (
  partition_suffix  text     not null,
  settled           boolean  not null,
  complete          bigint   not null  default 0,
  error             bigint   not null  default 0,
  cancelled         bigint   not null  default 0,
  resolved          bigint   not null  default 0,
  retries           bigint   not null  default 0,
  lost              bigint   not null  default 0,

  constraint step_totals_pkey
    primary key (partition_suffix, settled)
);

comment on table tasker.step_totals is
  'The number of steps in each final state, and of steps that were retried or lost their worker, for each partition. tasker.roll_up maintains this table.';
comment on column tasker.step_totals.error is
  'The number of steps that failed permanently, minus the number of those that an operator retried.';
-- <<<

-- >>> db/schema/tables/operate/analytics/result_totals.sql
create table tasker.result_totals (
  named_task_uuid  uuid    not null,
  results          bigint  not null,
  failures         bigint  not null,
  duration_ms      bigint  not null,

  constraint result_totals_pkey
    primary key (named_task_uuid)
);

comment on table tasker.result_totals is
  'The number of results that the steps of a template had until rollup_state.settled_until. The number never decreases. tasker.roll_up maintains it.';
-- <<<

-- >>> db/schema/tables/operate/analytics/task_rollups.sql
create table tasker.task_rollups (
  bucket           timestamptz  not null,
  named_task_uuid  uuid         not null,
  started          bigint       not null,
  completed        bigint       not null,
  failed           bigint       not null,
  cancelled        bigint       not null,
  resolved         bigint       not null,
  steps            bigint       not null,
  completed_ms     bigint       not null,
  duration_ms      bigint       not null,
  min_ms           bigint,
  max_ms           bigint,
  last_at          timestamptz,
  durations        numeric      not null,

  constraint task_rollups_pkey
    primary key (bucket, named_task_uuid)
);

comment on table tasker.task_rollups is
  'Tasks that started or ended, by minute and template. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.task_rollups.steps is
  'The number of steps of the tasks that ended in any way. The columns with durations cover the same tasks. Null if no task ended.';
comment on column tasker.task_rollups.durations is
  'A histogram of the durations, encoded as one number (tasker.duration_histogram), so that sum() adds histograms.';
-- <<<

-- >>> db/schema/tables/operate/analytics/step_rollups.sql
create table tasker.step_rollups (
  bucket           timestamptz  not null,
  named_task_uuid  uuid         not null,
  named_step_uuid  uuid         not null,
  results          bigint       not null,
  failures         bigint       not null,
  timed            bigint       not null,
  duration_ms      bigint       not null,
  min_ms           bigint,
  max_ms           bigint,
  last_at          timestamptz  not null,
  durations        numeric      not null,

  constraint step_rollups_pkey
    primary key (bucket, named_task_uuid, named_step_uuid)
);

comment on table tasker.step_rollups is
  'Results of steps, by minute, template and handler. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.step_rollups.timed is
  'The number of results for which a worker reported a duration. The columns with durations cover these results. Null if there is no such result.';
comment on column tasker.step_rollups.durations is
  'A histogram of the durations, encoded as one number (tasker.duration_histogram), so that sum() adds histograms.';
-- <<<

-- >>> db/schema/tables/operate/analytics/work_rollups.sql
create table tasker.work_rollups (
  bucket               timestamptz  not null,
  task_namespace_uuid  uuid         not null,
  started              bigint       not null,
  completed            bigint       not null,
  failed               bigint       not null,
  cancelled            bigint       not null,
  resolved             bigint       not null,
  completed_ms         bigint       not null,
  results              bigint       not null,
  failures             bigint       not null,
  timed                bigint       not null,
  duration_ms          bigint       not null,

  constraint work_rollups_pkey
    primary key (bucket, task_namespace_uuid)
);

comment on table tasker.work_rollups is
  'The work of a namespace per minute: tasker.task_rollups and tasker.step_rollups summed over all templates and handlers, for charts and totals. After two days the rows of minutes are merged into rows of hours. tasker.roll_up maintains this table.';
comment on column tasker.work_rollups.completed_ms is
  'The total time, in milliseconds, from the start to the end of the tasks that completed.';
comment on column tasker.work_rollups.duration_ms is
  'The total duration, in milliseconds, of the results that have a duration.';
-- <<<

-- >>> db/schema/tables/operate/analytics/queue_history.sql
create table tasker.queue_history (
  bucket          timestamptz       not null,
  namespace       text              not null,
  ready           bigint            not null,
  leased          bigint            not null,
  oldest_seconds  double precision  not null,

  constraint queue_history_pkey
    primary key (bucket, namespace)
);

comment on table tasker.queue_history is
  'The length of each queue of a namespace, minute by minute, as the last measurement in the minute found it. The maintenance duty rollups adds a row for each queue that is not empty. If a minute has no row, the queue was empty or the duty did not run. Rows are kept for a week.';
comment on column tasker.queue_history.oldest_seconds is
  'The number of seconds that the first ready step had waited. 0 if the namespace was paused.';
-- <<<

-- >>> db/schema/views/operate/views/task_hours.sql
create materialized view tasker.task_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.named_task_uuid,
  sum(r.started)::bigint as started,
  sum(r.completed)::bigint as completed,
  sum(r.failed)::bigint as failed,
  sum(r.cancelled)::bigint as cancelled,
  sum(r.resolved)::bigint as resolved,
  sum(r.steps)::bigint as steps,
  sum(r.completed_ms)::bigint as completed_ms,
  sum(r.duration_ms)::bigint as duration_ms,
  min(r.min_ms) as min_ms,
  max(r.max_ms) as max_ms,
  max(r.last_at) as last_at,
  sum(r.durations) as durations
from tasker.task_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2;

create unique index task_hours_rows_key
  on tasker.task_hours (bucket, named_task_uuid);

comment on index tasker.task_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.task_hours is
  'tasker.task_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
-- <<<

-- >>> db/schema/views/operate/views/step_hours.sql
create materialized view tasker.step_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.named_task_uuid,
  r.named_step_uuid,
  sum(r.results)::bigint as results,
  sum(r.failures)::bigint as failures,
  sum(r.timed)::bigint as timed,
  sum(r.duration_ms)::bigint as duration_ms,
  min(r.min_ms) as min_ms,
  max(r.max_ms) as max_ms,
  max(r.last_at) as last_at,
  sum(r.durations) as durations
from tasker.step_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2, 3;

create unique index step_hours_rows_key
  on tasker.step_hours (bucket, named_task_uuid, named_step_uuid);

comment on index tasker.step_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.step_hours is
  'tasker.step_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
-- <<<

-- >>> db/schema/views/operate/views/work_hours.sql
create materialized view tasker.work_hours as
select
  date_trunc('hour', r.bucket, 'UTC') as bucket,
  r.task_namespace_uuid,
  sum(r.started)::bigint as started,
  sum(r.completed)::bigint as completed,
  sum(r.failed)::bigint as failed,
  sum(r.cancelled)::bigint as cancelled,
  sum(r.resolved)::bigint as resolved,
  sum(r.completed_ms)::bigint as completed_ms,
  sum(r.results)::bigint as results,
  sum(r.failures)::bigint as failures,
  sum(r.timed)::bigint as timed,
  sum(r.duration_ms)::bigint as duration_ms
from tasker.work_rollups as r
where r.bucket < (select s.hours_until from tasker.rollup_state as s)
group by 1, 2;

create unique index work_hours_rows_key
  on tasker.work_hours (bucket, task_namespace_uuid);

comment on index tasker.work_hours_rows_key is
  'Serves the reports of a period, and the refresh of the view while reports read it.';

comment on materialized view tasker.work_hours is
  'tasker.work_rollups summed by hour, up to rollup_state.hours_until. Reports of more than an hour or two read this view. tasker.refresh_analytics refreshes it.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_failing_timers.sql
create or replace function tasker.count_failing_timers(p_bound text[])
  returns bigint
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select count(*)
      from tasker.failed_timers as f
     cross join lateral (
       select
         from tasker.timers as m
        where m.task_uuid = f.task_uuid
          and m.step_no = f.step_no
          and m.kind = f.kind
          and m.due_at = f.due_at
       offset 0
     ) as m
     where p_bound is null
        or tasker.may_see_task(f.task_uuid)
  );
end;
$$;

comment on function tasker.count_failing_timers is
$$Returns the number of timers whose last firing failed. If p_bound is not null, counts only timers of tasks in these
namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/duration_bin.sql
create or replace function tasker.duration_bin(p_ms bigint)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_ms is not null then floor(ln(greatest(p_ms, 0)::double precision + 1) / ln(2::double precision) * 4)
  end::smallint;
end;

comment on function tasker.duration_bin is
$$Returns the class of a duration. A doubling of the duration has four classes, so that the middle of a class differs
from the duration by at most ten percent. Returns null if there is no duration.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/duration_of_bin.sql
create or replace function tasker.duration_of_bin(p_bin smallint)
  returns double precision
  language sql
  immutable
  parallel safe
begin atomic
  select power(2::double precision, (p_bin + 0.5) / 4.0) - 1;
end;

comment on function tasker.duration_of_bin is
$$Returns the middle of a class of durations, in milliseconds.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/duration_histogram.sql
create or replace function tasker.duration_histogram(p_bin smallint, p_count bigint)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  select p_count * ('1e' || 12 * p_bin)::numeric;
end;

comment on function tasker.duration_histogram is
$$Returns a histogram of durations in one number, which has twelve decimal digits for each class of tasker.duration_bin.
The last digits belong to the shortest class. So sum() adds histograms class by class, in C and into one row. The digits
suffice for almost 10^12 durations in a class. Returns null for a null class.$$;
-- <<<

-- >>> db/schema/rows/operate/analytics/duration_percentiles.sql
create or replace view tasker.duration_percentiles as
select
  0::numeric as p50,
  0::numeric as p95,
  0::numeric as p99
where false;

comment on view tasker.duration_percentiles is
  'Row type: the 50th, 95th and 99th percentile of durations, in seconds.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/percentiles_of.sql
create or replace function tasker.percentiles_of(p_durations numeric, p_min_ms bigint, p_max_ms bigint)
  returns setof tasker.duration_percentiles
  language sql
  immutable
  parallel safe
begin atomic
  with classes as (
    select
      b.bin::smallint as bin,
      sum(substr(h.digits, length(h.digits) - 12 * b.bin - 11, 12)::bigint) over (order by b.bin) as n_until
    -- With "offset 0" PostgreSQL converts the number to text only once, not once for each class.
    from (select repeat('0', 11) || p_durations::text as digits offset 0) as h
    cross join generate_series(0, length(h.digits) / 12 - 1) as b (bin)
  ),
  durations as (
    select
      round((least(greatest(tasker.duration_of_bin(c.bin), p_min_ms), p_max_ms) / 1000)::numeric, 3) as seconds,
      c.n_until / nullif(max(c.n_until) over (), 0) as share
    from classes as c
  )
  select
    coalesce(min(d.seconds) filter (where d.share >= 0.50), 0),
    coalesce(min(d.seconds) filter (where d.share >= 0.95), 0),
    coalesce(min(d.seconds) filter (where d.share >= 0.99), 0)
  from durations as d;
end;

comment on function tasker.percentiles_of is
$$Returns one row with the percentiles of a histogram (tasker.duration_histogram). No percentile is below the shortest
or above the longest duration, and its error is at most ten percent and half a millisecond. The percentiles are 0 if
there are no durations. Inlined into the statements of reports.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_suffix_of.sql
create or replace function tasker.partition_suffix_of(p_partition oid, p_parent text)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select substr(c.relname::text, length(p_parent) + 2)
    from pg_catalog.pg_class as c
   where c.oid = p_partition;
end;

comment on function tasker.partition_suffix_of is
$$Returns the suffix of the range that a partition belongs to (tasker.partition_ranges.suffix), from its name.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/ended_tasks_between.sql
create or replace function tasker.ended_tasks_between(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns setof tasker.task_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    tasker.partition_suffix_of(c.partition, 'task_log'),
    c.named_task_uuid,
    p_settled,
    c.started, c.completed, c.failed, c.cancelled, c.resolved, c.reset
  from (
    -- Count the paths first, and look up the meaning of each path once for many rows.
    select
      n.partition,
      n.named_task_uuid,
      coalesce(sum(n.rows) filter (where u.event = 'Start'), 0)::bigint as started,
      (coalesce(sum(n.rows) filter (where u.to_state = 'complete'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'complete'), 0))::bigint as completed,
      coalesce(sum(n.rows) filter (where u.to_state = 'error'), 0)::bigint as failed,
      coalesce(sum(n.rows) filter (where u.to_state = 'cancelled'), 0)::bigint as cancelled,
      coalesce(sum(n.rows) filter (where u.to_state = 'resolved_manually'), 0)::bigint as resolved,
      coalesce(sum(n.rows) filter (where u.from_state = 'error'), 0)::bigint as reset
    from (
      select l.tableoid as partition, t.named_task_uuid, l.path, count(*) as rows
        from tasker.task_log as l
        join tasker.tasks as t
          on t.task_uuid = l.task_uuid
       where l.created_at >= p_since
         and l.created_at < p_until
       group by 1, 2, 3
    ) as n
    join tasker.task_log_paths as u
      on u.path = n.path
    where u.event in ('Start', 'Reset', 'Rerun') or u.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
    group by 1, 2
  ) as c;
end;
$$;

comment on function tasker.ended_tasks_between is
$$Returns the outcomes of tasks in a period, counted by partition and template, as rows of tasker.task_totals.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_ended_tasks.sql
create or replace function tasker.count_ended_tasks(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  insert into tasker.task_totals as o (
    partition_suffix, named_task_uuid, settled, started, completed, failed, cancelled, resolved, reset
  )
  select e.* from tasker.ended_tasks_between(p_since, p_until, p_settled) as e
  on conflict (partition_suffix, named_task_uuid, settled) do update
     set started   = o.started + excluded.started,
         completed = o.completed + excluded.completed,
         failed    = o.failed + excluded.failed,
         cancelled = o.cancelled + excluded.cancelled,
         resolved  = o.resolved + excluded.resolved,
         reset     = o.reset + excluded.reset;
end;
$$;

comment on function tasker.count_ended_tasks is
$$Adds the outcomes of tasks in a period to tasker.task_totals.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/ended_steps_between.sql
create or replace function tasker.ended_steps_between(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns setof tasker.step_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    tasker.partition_suffix_of(c.partition, 'step_log'),
    p_settled,
    c.complete, c.error, c.cancelled, c.resolved, c.retries, c.lost
  from (
    -- Count the paths first, and look up the meaning of each path once for many rows.
    select
      n.partition,
      (coalesce(sum(n.rows) filter (where u.to_state = 'complete'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'complete'), 0))::bigint as complete,
      (coalesce(sum(n.rows) filter (where u.to_state = 'error'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'error'), 0))::bigint as error,
      (coalesce(sum(n.rows) filter (where u.to_state = 'cancelled'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'cancelled'), 0))::bigint as cancelled,
      (coalesce(sum(n.rows) filter (where u.to_state = 'resolved_manually'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'resolved_manually'), 0))::bigint as resolved,
      coalesce(sum(n.rows) filter (where u.to_state = 'waiting_for_retry'), 0)::bigint as retries,
      coalesce(sum(n.rows) filter (where u.event = 'LeaseExpired'), 0)::bigint as lost
    from (
      select l.tableoid as partition, l.path, count(*) as rows
        from tasker.step_log as l
       where l.created_at >= p_since
         and l.created_at < p_until
       group by 1, 2
    ) as n
    join tasker.step_log_paths as u
      on u.path = n.path
    group by 1
  ) as c;
end;
$$;

comment on function tasker.ended_steps_between is
$$Returns the outcomes of steps in a period, counted by partition, as rows of tasker.step_totals.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_ended_steps.sql
create or replace function tasker.count_ended_steps(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  insert into tasker.step_totals as o (
    partition_suffix, settled, complete, error, cancelled, resolved, retries, lost
  )
  select e.* from tasker.ended_steps_between(p_since, p_until, p_settled) as e
  on conflict (partition_suffix, settled) do update
     set complete  = o.complete + excluded.complete,
         error     = o.error + excluded.error,
         cancelled = o.cancelled + excluded.cancelled,
         resolved  = o.resolved + excluded.resolved,
         retries   = o.retries + excluded.retries,
         lost      = o.lost + excluded.lost;
end;
$$;

comment on function tasker.count_ended_steps is
$$Adds the outcomes of steps in a period to tasker.step_totals.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_results.sql
create or replace function tasker.count_results(p_since timestamptz, p_until timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasker.result_totals as o (named_task_uuid, results, failures, duration_ms)
  select
    r.named_task_uuid,
    sum(r.results),
    sum(r.failures),
    sum(r.duration_ms)
  from tasker.step_rollups as r
  where r.bucket >= p_since
    and r.bucket < p_until
  group by r.named_task_uuid
  on conflict (named_task_uuid) do update
     set results     = o.results + excluded.results,
         failures    = o.failures + excluded.failures,
         duration_ms = o.duration_ms + excluded.duration_ms;
end;
$$;

comment on function tasker.count_results is
$$Adds the results of the minutes in this period, which are settled, to tasker.result_totals.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_tasks_since.sql
create or replace function tasker.count_tasks_since(p_since timestamptz)
  returns setof tasker.task_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
declare
  v_ended   tasker.task_state[] := array['complete', 'error', 'cancelled', 'resolved_manually'];
  -- The paths that end a task, and with them the paths that start a task.
  v_endings smallint[] := array(select u.path from tasker.task_log_paths as u where u.to_state = any (v_ended));
  v_counted smallint[] := v_endings || array(select u.path::smallint from tasker.task_log_paths as u where u.event = 'Start');
begin
  -- Group by path and by class of duration first, so that the path is looked up and a power of ten is computed only
  -- once for many rows.
  return query
  select
    c.minute,
    c.named_task_uuid,
    coalesce(sum(c.n) filter (where u.event = 'Start'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'complete'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'error'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'cancelled'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'resolved_manually'), 0)::bigint,
    coalesce(sum(c.steps) filter (where u.to_state = any (v_ended)), 0)::bigint,
    coalesce(sum(c.ms) filter (where u.to_state = 'complete'), 0)::bigint,
    coalesce(sum(c.ms) filter (where u.to_state = any (v_ended)), 0)::bigint,
    (min(c.min_ms) filter (where u.to_state = any (v_ended)))::bigint,
    (max(c.max_ms) filter (where u.to_state = any (v_ended)))::bigint,
    max(c.last_at) filter (where u.to_state = any (v_ended)),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)) filter (where u.to_state = any (v_ended)), 0)
  from (
    select
      date_trunc('minute', e.created_at) as minute,
      e.named_task_uuid,
      e.path,
      tasker.duration_bin(e.ms) as bin,
      count(*) as n,
      sum(e.total_steps) as steps,
      sum(e.ms) as ms,
      min(e.ms) as min_ms,
      max(e.ms) as max_ms,
      max(e.created_at) as last_at
    from (
      select
        l.created_at,
        l.path,
        t.named_task_uuid,
        t.total_steps,
        -- A task that starts has no duration.
        case when l.path = any (v_endings) then
          greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0)
        end::bigint as ms
      from tasker.task_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
        and l.path = any (v_counted)
    ) as e
    group by 1, 2, 3, 4
  ) as c
  join tasker.task_log_paths as u
    on u.path = c.path
  where u.event = 'Start'
     or u.to_state = any (v_ended)
  group by c.minute, c.named_task_uuid;
end;
$$;

comment on function tasker.count_tasks_since is
$$Counts from the logs the tasks that started or ended in each minute from p_since on, and their durations, as rows of
tasker.task_rollups.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/roll_up_tasks.sql
create or replace function tasker.roll_up_tasks(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.task_rollups as r where r.bucket >= p_since;
  insert into tasker.task_rollups
  select c.* from tasker.count_tasks_since(p_since) as c;
end;
$$;

comment on function tasker.roll_up_tasks is
$$Counts the tasks that started or ended in the minutes from p_since on again, with their durations. The caller sets the
time zone to UTC.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_steps_since.sql
create or replace function tasker.count_steps_since(p_since timestamptz)
  returns setof tasker.step_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
begin
  -- Group by class of duration first, so that one power of ten is computed for many rows.
  return query
  select
    c.minute,
    c.named_task_uuid,
    c.named_step_uuid,
    sum(c.n)::bigint,
    sum(c.failures)::bigint,
    coalesce(sum(c.n) filter (where c.bin is not null), 0)::bigint,
    coalesce(sum(c.ms), 0)::bigint,
    min(c.min_ms)::bigint,
    max(c.max_ms)::bigint,
    max(c.last_at),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)), 0)
  from (
    select
      date_trunc('minute', a.recorded_at) as minute,
      t.named_task_uuid,
      s.named_step_uuid,
      tasker.duration_bin(a.execution_time_ms) as bin,
      count(*) as n,
      count(*) filter (where not a.success) as failures,
      sum(a.execution_time_ms) as ms,
      min(a.execution_time_ms) as min_ms,
      max(a.execution_time_ms) as max_ms,
      max(a.recorded_at) as last_at
    from tasker.step_result_log as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    join tasker.workflow_steps as s
      on s.task_uuid = a.task_uuid
     and s.step_no = a.step_no
    where a.recorded_at >= p_since
    group by 1, 2, 3, 4
  ) as c
  group by c.minute, c.named_task_uuid, c.named_step_uuid;
end;
$$;

comment on function tasker.count_steps_since is
$$Counts from the logs the results of steps and their durations in each minute from p_since on, as rows of
tasker.step_rollups.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/roll_up_steps.sql
create or replace function tasker.roll_up_steps(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.step_rollups as r where r.bucket >= p_since;
  insert into tasker.step_rollups
  select c.* from tasker.count_steps_since(p_since) as c;
end;
$$;

comment on function tasker.roll_up_steps is
$$Counts the results of steps and their durations in the minutes from p_since on again. The caller sets the time zone to
UTC.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/roll_up_work.sql
create or replace function tasker.roll_up_work(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.work_rollups as r where r.bucket >= p_since;
  insert into tasker.work_rollups (
    bucket, task_namespace_uuid, started, completed, failed, cancelled, resolved, completed_ms, results, failures,
    timed, duration_ms
  )
  select
    w.bucket,
    k.task_namespace_uuid,
    sum(w.started),
    sum(w.completed),
    sum(w.failed),
    sum(w.cancelled),
    sum(w.resolved),
    sum(w.completed_ms),
    sum(w.results),
    sum(w.failures),
    sum(w.timed),
    sum(w.duration_ms)
  from (
    select
      r.bucket, r.named_task_uuid, r.started, r.completed, r.failed, r.cancelled, r.resolved, r.completed_ms,
      0 as results, 0 as failures, 0 as timed, 0 as duration_ms
    from tasker.task_rollups as r
    where r.bucket >= p_since
    union all
    select r.bucket, r.named_task_uuid, 0, 0, 0, 0, 0, 0, r.results, r.failures, r.timed, r.duration_ms
      from tasker.step_rollups as r
     where r.bucket >= p_since
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  group by w.bucket, k.task_namespace_uuid;
end;
$$;

comment on function tasker.roll_up_work is
$$Sums up the work of each namespace in the minutes from p_since on.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/roll_up_minutes.sql
create or replace function tasker.roll_up_minutes(p_since timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
begin
  perform tasker.roll_up_tasks(p_since);
  perform tasker.roll_up_steps(p_since);
  -- Sum up the rows of the other two tables.
  perform tasker.roll_up_work(p_since);
end;
$$;

comment on function tasker.roll_up_minutes is
$$Counts the minutes from p_since on again: tasks that started or ended, and results of steps, with their durations.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/summarize_new_pages.sql
create or replace function tasker.summarize_new_pages()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_index oid;
  v_range bigint;
  v_block bigint;
  v_now   timestamptz := tasker.clock();
begin
  -- A BRIN index skips only pages that have a summary. Without this function, each query would read all new pages until
  -- autovacuum runs.
  for v_index, v_range, v_block in
    select
        i.indexrelid, o.pages,
        (pg_relation_size(c.oid) / current_setting('block_size')::integer - 1) / o.pages * o.pages
          - case when r.ends_at <= v_now then 0 else o.pages end
      from tasker.partition_ranges as r
     cross join (values
       ('task_log'), ('step_log')
     ) as p (table_name)
      join pg_class as c
        on c.relnamespace = 'tasker'::regnamespace
       and c.relname = p.table_name || '_' || r.suffix
      join pg_index as i
        on i.indrelid = c.oid
      join pg_class as x
        on x.oid = i.indexrelid
      join pg_am as m
        on m.oid = x.relam
       and m.amname = 'brin'
     cross join lateral (
       select coalesce((select f.option_value from pg_options_to_table(x.reloptions) as f where f.option_name = 'pages_per_range'), '128')::bigint as pages
     ) as o
  loop
    -- Go from the newest full range back to a range that has a summary. The range to which rows are added gets no
    -- summary, because each insert would have to widen the summary, and a reader of new rows reads these pages anyway.
    -- In a partition whose time has passed, the last range gets a summary, too.
    while v_block >= 0 loop
      exit when brin_summarize_range(v_index, v_block) = 0;
      v_block := v_block - v_range;
    end loop;
  end loop;
end;
$$;

comment on function tasker.summarize_new_pages is
$$Writes the summaries of full ranges of new pages into the BRIN indexes of the logs. If the time of a partition has
passed, also writes the summary of its last range of pages.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/roll_up.sql
create or replace function tasker.roll_up()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_early   boolean := pg_current_xact_id_if_assigned() is not null;
  v_state   tasker.rollup_state;
  v_settled timestamptz;
begin
  -- One session rolls up at a time. A second session waits and starts where the first session ended.
  perform 1 from tasker.rollup_state as s for update;
  select s.* into strict v_state from tasker.rollup_state as s;

  -- When all transactions that were open at the mark have ended, no transaction can write rows from before the mark. Do
  -- not wait for a transaction that stays open for more than an hour.
  v_settled := v_state.settled_until;
  if pg_snapshot_xmin(pg_current_snapshot()) > v_state.mark_xid or v_state.mark_at < v_now - interval '1 hour' then
    v_settled := greatest(v_settled, date_trunc('minute', v_state.mark_at - interval '5 seconds'));
    v_state.mark_at := null;
  end if;
  -- The mark is the id of this transaction, so every earlier writer has a lower id. If this transaction got its id
  -- before this call, the mark is useless, because other transactions may have got higher ids in between.
  if v_state.mark_at is null or v_state.mark_xid is null and not v_early then
    v_state.mark_at := v_now;
    v_state.mark_xid := case when not v_early then pg_current_xact_id() end;
  end if;

  perform tasker.summarize_new_pages();
  delete from tasker.task_totals as o where not o.settled;
  delete from tasker.step_totals as o where not o.settled;
  if v_settled > v_state.settled_until then
    perform tasker.count_ended_tasks(v_state.settled_until, v_settled, true);
    perform tasker.count_ended_steps(v_state.settled_until, v_settled, true);
  end if;
  perform tasker.count_ended_tasks(v_settled, 'infinity', false);
  perform tasker.count_ended_steps(v_settled, 'infinity', false);
  perform tasker.roll_up_minutes(v_state.settled_until);
  perform tasker.count_results(v_state.settled_until, v_settled);

  update tasker.rollup_state as s
     set settled_until   = v_settled,
         rolled_up_until = v_now,
         mark_at         = v_state.mark_at,
         mark_xid        = v_state.mark_xid;
  return v_now;
end;
$$;

comment on function tasker.roll_up is
$$Updates totals and rollups and returns how far they reach. Reads the logs since the last call, and the last minute or
two before it.

Locks the row of rollup_state. The work of a transaction is missing until tasker.rebuild_analytics() if the transaction
commits later than an hour after its first write, or if it wrote rows for a minute that was already settled.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/merge_old_minutes.sql
create or replace function tasker.merge_old_minutes(p_rollups regclass, p_before timestamptz, p_keep_from timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_keys   text;
  v_names  text;
  v_merged text;
  v_sums   text;
  v_count  bigint;
begin
  -- The UUIDs are the key. Each other column of an hour has the smallest value, the largest value or the sum of the
  -- values of its minutes.
  select
    string_agg(c.name, ', ' order by c.no) filter (where c.is_key),
    string_agg(c.name, ', ' order by c.no) filter (where not c.is_key),
    string_agg(format('%s(r.%s)', c.aggregate, c.name), ', ' order by c.no) filter (where not c.is_key),
    string_agg(format(c.sum, c.name), ', ' order by c.no) filter (where not c.is_key)
    into strict v_keys, v_names, v_merged, v_sums
    from (
      select
        a.attnum as no,
        quote_ident(a.attname) as name,
        a.atttypid = 'uuid'::regtype as is_key,
        case a.attname when 'min_ms' then 'min' when 'max_ms' then 'max' when 'last_at' then 'max' else 'sum' end as aggregate,
        case a.attname
          when 'min_ms' then '%1$s = least(o.%1$s, excluded.%1$s)'
          when 'max_ms' then '%1$s = greatest(o.%1$s, excluded.%1$s)'
          when 'last_at' then '%1$s = greatest(o.%1$s, excluded.%1$s)'
          else '%1$s = o.%1$s + excluded.%1$s'
        end as sum
      from pg_attribute as a
      where a.attrelid = p_rollups
        and a.attnum > 0
        and not a.attisdropped
        and a.attname <> 'bucket'
    ) as c;

  execute format('delete from %s as r where r.bucket < $1', p_rollups) using p_keep_from;

  -- The row of an hour's first minute becomes the row of the hour. Add the other minutes to that row and
  -- delete them.
  execute format(
    $q$
    insert into %1$s as o (bucket, %2$s, %3$s)
    select date_trunc('hour', r.bucket), %2$s, %4$s
      from %1$s as r
     where r.bucket < date_trunc('hour', $1)
       and r.bucket > date_trunc('hour', r.bucket)
     group by date_trunc('hour', r.bucket), %2$s
        on conflict (bucket, %2$s) do update set %5$s
    $q$,
    p_rollups, v_keys, v_names, v_merged, v_sums
  ) using p_before;
  execute format(
    $q$delete from %s as r where r.bucket < date_trunc('hour', $1) and r.bucket > date_trunc('hour', r.bucket)$q$, p_rollups
  ) using p_before;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasker.merge_old_minutes is
$$Merges the minutes before p_before in a table of rollups into hours, and deletes rows that are older than p_keep_from.
Returns how many rows it merged. Composes the statement from the columns of the table.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/refresh_hours.sql
create or replace function tasker.refresh_hours()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
as $$
declare
  v_state tasker.rollup_state;
  v_hours timestamptz;
begin
  perform 1 from tasker.rollup_state as s for update;
  select s.* into strict v_state from tasker.rollup_state as s;
  v_hours := date_trunc('hour', least(v_state.settled_until, v_state.rolled_up_until));

  perform tasker.merge_old_minutes(
            r.rollups,
            least(v_hours, tasker.clock() - interval '2 days'),
            tasker.clock() - make_interval(days => tasker.setting_integer('rollup_days'))
          )
     from (values ('tasker.task_rollups'::regclass), ('tasker.step_rollups'), ('tasker.work_rollups')) as r (rollups);

  update tasker.rollup_state as s set hours_until = v_hours;
  refresh materialized view concurrently tasker.task_hours;
  refresh materialized view concurrently tasker.step_hours;
  refresh materialized view concurrently tasker.work_hours;
  return v_hours;
end;
$$;

comment on function tasker.refresh_hours is
$$Refreshes the materialised views up to the last settled full hour, merges old minutes and deletes rollups older than the setting rollup_days. Returns how far the views reach.

Locks the row of rollup_state. Does not block readers of the views.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/refresh_analytics.sql
create or replace function tasker.refresh_analytics()
  returns timestamptz
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := tasker.roll_up();
begin
  perform tasker.refresh_hours();
  return v_until;
end;
$$;

comment on function tasker.refresh_analytics is
$$Updates totals, rollups and materialised views, as maintenance does, and returns how far they reach. Call this
function before a report that must be current.

Locks the row of rollup_state, so a second call waits for the first. Does not block readers of the reports.$$;

grant execute on function tasker.refresh_analytics to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/analytics/rebuild_analytics.sql
create or replace function tasker.rebuild_analytics()
  returns timestamptz
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform 1 from tasker.rollup_state as s for update;
  delete from tasker.task_totals;
  delete from tasker.step_totals;
  delete from tasker.result_totals;
  delete from tasker.task_rollups;
  delete from tasker.step_rollups;
  delete from tasker.work_rollups;
  update tasker.rollup_state as s
     set settled_until   = '-infinity',
         rolled_up_until = '-infinity',
         hours_until     = '-infinity',
         mark_at         = null,
         mark_xid        = null;
  return tasker.refresh_analytics();
end;
$$;

comment on function tasker.rebuild_analytics is
$$Recounts all totals, rollups and materialised views. Call this function for a database whose history was restored or
moved, or after a transaction that was open for hours. Returns how far the rollups reach.

Reads the logs of all partitions. Tasks that retention has dropped are no longer counted. Locks the row of rollup_state.
Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.rebuild_analytics to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/task_rollups_since.sql
create or replace function tasker.task_rollups_since(p_since timestamptz, p_hours_until timestamptz)
  returns setof tasker.task_rollups
  language sql
  stable
  parallel safe
begin atomic
  -- Whole hours come from the materialised view. The minutes before the first and after the last whole hour come from
  -- the rollups. If there is no whole hour, the first part of the minutes ends where the last part begins.
  select r.*
    from tasker.task_rollups as r
   where r.bucket >= date_trunc('minute', p_since, 'UTC')
     and r.bucket < date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
  union all
  select h.*
    from tasker.task_hours as h
   where h.bucket >= date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
     and h.bucket < p_hours_until
  union all
  select r.*
    from tasker.task_rollups as r
   where r.bucket >= greatest(
     date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC'),
     p_hours_until
   );
end;

comment on function tasker.task_rollups_since is
$$Returns the rollups from p_since until now: hours as far as the materialised view reaches, and minutes before and
after them. p_hours_until is rollup_state.hours_until, which the caller reads before, so that the planner knows it.
Inlined into the statements of its only callers, the reports.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/step_rollups_since.sql
create or replace function tasker.step_rollups_since(p_since timestamptz, p_hours_until timestamptz)
  returns setof tasker.step_rollups
  language sql
  stable
  parallel safe
begin atomic
  -- Whole hours come from the materialised view. The minutes before the first and after the last whole hour come from
  -- the rollups. If there is no whole hour, the first part of the minutes ends where the last part begins.
  select r.*
    from tasker.step_rollups as r
   where r.bucket >= date_trunc('minute', p_since, 'UTC')
     and r.bucket < date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
  union all
  select h.*
    from tasker.step_hours as h
   where h.bucket >= date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
     and h.bucket < p_hours_until
  union all
  select r.*
    from tasker.step_rollups as r
   where r.bucket >= greatest(
     date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC'),
     p_hours_until
   );
end;

comment on function tasker.step_rollups_since is
$$Returns the rollups from p_since until now: hours as far as the materialised view reaches, and minutes before and
after them. p_hours_until is rollup_state.hours_until, which the caller reads before, so that the planner knows it.
Inlined into the statements of its only callers, the reports.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/work_rollups_since.sql
create or replace function tasker.work_rollups_since(p_since timestamptz, p_hours_until timestamptz)
  returns setof tasker.work_rollups
  language sql
  stable
  parallel safe
begin atomic
  -- Whole hours come from the materialised view. The minutes before the first and after the last whole hour come from
  -- the rollups. If there is no whole hour, the first part of the minutes ends where the last part begins.
  select r.*
    from tasker.work_rollups as r
   where r.bucket >= date_trunc('minute', p_since, 'UTC')
     and r.bucket < date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
  union all
  select h.*
    from tasker.work_hours as h
   where h.bucket >= date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
     and h.bucket < p_hours_until
  union all
  select r.*
    from tasker.work_rollups as r
   where r.bucket >= greatest(
     date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC'),
     p_hours_until
   );
end;

comment on function tasker.work_rollups_since is
$$Returns the rollups from p_since until now: hours as far as the materialised view reaches, and minutes before and
after them. p_hours_until is rollup_state.hours_until, which the caller reads before, so that the planner knows it.
Inlined into the statements of its only callers, the reports.$$;
-- <<<

-- >>> db/schema/rows/operate/analytics/open_task_counts.sql
create or replace view tasker.open_task_counts as
select
  'pending'::tasker.task_state as state,
  0::bigint as tasks,
  0::bigint as open_steps,
  0::bigint as active_steps,
  0::bigint as retrying_steps,
  0::bigint as suspended_steps
where false;

comment on view tasker.open_task_counts is
  'Row type: the number of open tasks in a state, and of their steps. The counters of the tasks give these numbers.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_open_tasks.sql
create or replace function tasker.count_open_tasks()
  returns setof tasker.open_task_counts
  language plpgsql
  stable
  rows 8
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    t.state,
    count(*),
    sum(t.open_steps),
    sum(t.active_steps),
    sum(t.retrying_steps),
    sum(t.suspended_steps)
  from tasker.tasks as t
  where not t.complete
  group by t.state;
end;
$$;

comment on function tasker.count_open_tasks is
$$Counts open tasks by state, through their partial index. Does not read finished tasks.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/oldest_transaction.sql
create or replace function tasker.oldest_transaction()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select min(o.since)
      from (
        select a.xact_start from pg_stat_activity as a where a.backend_xmin is not null or a.backend_xid is not null
        union all
        select p.prepared from pg_prepared_xacts as p
      ) as o (since)
  );
end;
$$;

comment on function tasker.oldest_transaction is
$$Returns the beginning of the oldest open transaction among the sessions that tasker_owner may see, or null if no transaction is open. Prepared transactions also count.$$;
-- <<<

-- >>> db/schema/rows/operate/analytics/system_health_counts.sql
create or replace view tasker.system_health_counts as
select
  0::bigint as pending_tasks,
  0::bigint as initializing_tasks,
  0::bigint as enqueuing_steps_tasks,
  0::bigint as steps_in_process_tasks,
  0::bigint as evaluating_results_tasks,
  0::bigint as waiting_for_dependencies_tasks,
  0::bigint as waiting_for_retry_tasks,
  0::bigint as blocked_by_failures_tasks,
  0::bigint as complete_tasks,
  0::bigint as error_tasks,
  0::bigint as cancelled_tasks,
  0::bigint as resolved_manually_tasks,
  0::bigint as total_tasks,
  0::bigint as pending_steps,
  0::bigint as enqueued_steps,
  0::bigint as in_progress_steps,
  0::bigint as enqueued_for_orchestration_steps,
  0::bigint as enqueued_as_error_for_orchestration_steps,
  0::bigint as waiting_for_retry_steps,
  0::bigint as suspended_steps,
  0::bigint as complete_steps,
  0::bigint as error_steps,
  0::bigint as cancelled_steps,
  0::bigint as resolved_manually_steps,
  0::bigint as total_steps,
  0::bigint as active_connections,
  0::bigint as max_connections,
  0::bigint as waiting_tasks,
  0::double precision as oldest_waiting_seconds,
  0::bigint as pending_dlq_entries,
  0::bigint as kept_signals,
  0::bigint as unused_signals,
  0::bigint as retries_total,
  0::bigint as lost_leases_total,
  null::timestamptz as partitions_until,
  0::double precision as oldest_transaction_seconds,
  null::timestamptz as rolled_up_until,
  false::boolean as standby,
  null::double precision as standby_lag_seconds,
  0::bigint as diverged_steps,
  0::bigint as failing_timers,
  0::bigint as ending_tokens
where false;

comment on view tasker.system_health_counts is
  'Row type: how many tasks and steps are in each state, and the state of the engine. The counts of open work are of now, and the counts of finished work are as of rolled_up_until.';
comment on column tasker.system_health_counts.complete_tasks is
  'The number of completed tasks. This and all other counts of finished work cover the existing partitions.';
comment on column tasker.system_health_counts.pending_steps is
  'The number of pending steps. This and all other counts of unfinished steps cover open tasks only.';
comment on column tasker.system_health_counts.active_connections is
  'The number of connections to all databases of the server.';
comment on column tasker.system_health_counts.waiting_tasks is
  'The number of tasks that wait for an orchestrator, or that a direct call has changed and no call has advanced yet.';
comment on column tasker.system_health_counts.kept_signals is
  'The number of signals to open tasks that no step has taken yet. The newest 10,000 signals that no step has taken are counted.';
comment on column tasker.system_health_counts.unused_signals is
  'The number of signals to ended tasks that no step took, such as signals with a misspelt name. The newest 10,000 signals that no step has taken are counted.';
comment on column tasker.system_health_counts.partitions_until is
  'The end of the newest partition. Null if there are no partitions.';
comment on column tasker.system_health_counts.rolled_up_until is
  'The time until which finished work is counted. Null if it was never counted (see tasker.run_maintenance).';
comment on column tasker.system_health_counts.standby is
  'Whether this server is a standby, which serves only functions that read.';
comment on column tasker.system_health_counts.standby_lag_seconds is
  'The number of seconds that a standby is behind its primary. Null on a primary.';
comment on column tasker.system_health_counts.diverged_steps is
  'The number of suspended steps whose function diverged from its kept results, and which no worker with fitting code has run since.';
comment on column tasker.system_health_counts.failing_timers is
  'The number of timers whose firing failed. Each is tried again every minute. tasker.check_installation names one of them.';
comment on column tasker.system_health_counts.ending_tokens is
  'The number of tokens of tasker serve that end within a week. tasker.check_installation names them. 0 for a bound caller.';
comment on column tasker.system_health_counts.oldest_transaction_seconds is
  'The time for which the oldest transaction has been open, among the transactions that tasker_owner may see. With pg_read_all_stats, tasker_owner sees all sessions. Old transactions keep dead rows at the head of the queue.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/fresh_since.sql
create or replace function tasker.fresh_since()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_settled timestamptz := (select s.settled_until from tasker.rollup_state as s);
  v_rows    bigint;
begin
  select count(*)
    into v_rows
    from (
      select
        from tasker.step_log as l
       where l.created_at >= v_settled
      union all
      select
        from tasker.task_log as l
       where l.created_at >= v_settled
       limit 20001
    ) as l;
  return case when v_rows <= 20000 then v_settled end;
end;
$$;

comment on function tasker.fresh_since is
$$Returns the end of the settled period that maintenance has counted. From then on, a report counts the logs itself.
Returns null if more than 20,000 rows of tasks and steps were logged since then, and a report then has only the counts
of maintenance.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/task_totals_until_now.sql
create or replace function tasker.task_totals_until_now(p_fresh timestamptz)
  returns setof tasker.task_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_fresh is null then
    return query select o.* from tasker.task_totals as o;
  else
    return query
    select o.* from tasker.task_totals as o where o.settled
    union all
    select e.* from tasker.ended_tasks_between(p_fresh, 'infinity', false) as e;
  end if;
end;
$$;

comment on function tasker.task_totals_until_now is
$$Returns the totals of ended tasks: the settled totals plus the rows in the log since p_fresh (tasker.fresh_since). If
p_fresh is null, returns the totals as maintenance last counted them.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/step_totals_until_now.sql
create or replace function tasker.step_totals_until_now(p_fresh timestamptz)
  returns setof tasker.step_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_fresh is null then
    return query select o.* from tasker.step_totals as o;
  else
    return query
    select o.* from tasker.step_totals as o where o.settled
    union all
    select e.* from tasker.ended_steps_between(p_fresh, 'infinity', false) as e;
  end if;
end;
$$;

comment on function tasker.step_totals_until_now is
$$Returns the totals of ended steps: the settled totals plus the rows in the log since p_fresh (tasker.fresh_since). If
p_fresh is null, returns the totals as maintenance last counted them.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/fresh_work.sql
create or replace function tasker.fresh_work(p_since timestamptz)
  returns setof tasker.work_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_completing smallint[] := array(select u.path from tasker.task_log_paths as u where u.to_state = 'complete');
begin
  return query
  select
    w.bucket, k.task_namespace_uuid,
    sum(w.started)::bigint, sum(w.completed)::bigint, sum(w.failed)::bigint, sum(w.cancelled)::bigint,
    sum(w.resolved)::bigint, sum(w.completed_ms)::bigint, sum(w.results)::bigint, sum(w.failures)::bigint,
    sum(w.timed)::bigint, sum(w.duration_ms)::bigint
  from (
    select
      c.bucket,
      c.named_task_uuid,
      coalesce(sum(c.n) filter (where u.event = 'Start'), 0) as started,
      coalesce(sum(c.n) filter (where u.to_state = 'complete'), 0) as completed,
      coalesce(sum(c.n) filter (where u.to_state = 'error'), 0) as failed,
      coalesce(sum(c.n) filter (where u.to_state = 'cancelled'), 0) as cancelled,
      coalesce(sum(c.n) filter (where u.to_state = 'resolved_manually'), 0) as resolved,
      coalesce(sum(c.ms) filter (where u.to_state = 'complete'), 0) as completed_ms,
      0 as results, 0 as failures, 0 as timed, 0 as duration_ms
    from (
      -- Count the paths first, and look up the meaning of each path once for many rows.
      select
        date_trunc('minute', l.created_at) as bucket,
        t.named_task_uuid,
        l.path,
        count(*) as n,
        sum(greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0))
          filter (where l.path = any (v_completing)) as ms
      from tasker.task_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
      group by 1, 2, 3
    ) as c
    join tasker.task_log_paths as u
      on u.path = c.path
    where u.event = 'Start'
       or u.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
    group by 1, 2
    union all
    select
      date_trunc('minute', a.recorded_at), t.named_task_uuid, 0, 0, 0, 0, 0, 0,
      count(*), count(*) filter (where not a.success), count(a.execution_time_ms), coalesce(sum(a.execution_time_ms), 0)
    from tasker.step_result_log as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    where a.recorded_at >= p_since
    group by 1, 2
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  group by w.bucket, k.task_namespace_uuid;
end;
$$;

comment on function tasker.fresh_work is
$$Counts from the logs the work of each namespace in each minute since p_since, as rows of tasker.work_rollups.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/standby_lag.sql
create or replace function tasker.standby_lag()
  returns double precision
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not pg_is_in_recovery() then
    return null;
  end if;
  -- An idle primary commits nothing. So a connected standby that has replayed all that it received is not behind.
  if pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then
    return 0;
  end if;
  return extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp());
end;
$$;

comment on function tasker.standby_lag is
$$Returns how many seconds this standby is behind its primary, according to the time of the last transaction that it
replayed. Returns null on a primary, and on a standby that has not replayed a transaction.$$;

grant execute on function tasker.standby_lag
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_bound_tasks.sql
create or replace function tasker.count_bound_tasks(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  with counted as (
    select t.state, t.complete, t.task_uuid
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = any (p_namespaces)
  ),
  waiting as (
    select count(*) as tasks, extract(epoch from tasker.clock() - min(w.since)) as seconds
      from counted as c
      join (
        select w.task_uuid, w.waiting_since as since from tasker.waiting_tasks as w
        union all
        select m.task_uuid, m.due_at from tasker.timers as m where m.kind = 'advance_task' and m.due_at <= tasker.clock()
      ) as w
        on w.task_uuid = c.task_uuid
  )
  select
    count(*) filter (where c.state = 'pending'),
    count(*) filter (where c.state = 'initializing'),
    count(*) filter (where c.state = 'enqueuing_steps'),
    count(*) filter (where c.state = 'steps_in_process'),
    count(*) filter (where c.state = 'evaluating_results'),
    count(*) filter (where c.state = 'waiting_for_dependencies'),
    count(*) filter (where c.state = 'waiting_for_retry'),
    count(*) filter (where c.state = 'blocked_by_failures'),
    count(*) filter (where c.state = 'complete'),
    count(*) filter (where c.state = 'error'),
    count(*) filter (where c.state = 'cancelled'),
    count(*) filter (where c.state = 'resolved_manually'),
    count(*),
    min(w.tasks),
    coalesce(min(w.seconds), 0)
  into
    v_counts.pending_tasks, v_counts.initializing_tasks, v_counts.enqueuing_steps_tasks, v_counts.steps_in_process_tasks,
    v_counts.evaluating_results_tasks, v_counts.waiting_for_dependencies_tasks, v_counts.waiting_for_retry_tasks,
    v_counts.blocked_by_failures_tasks, v_counts.complete_tasks, v_counts.error_tasks, v_counts.cancelled_tasks,
    v_counts.resolved_manually_tasks, v_counts.total_tasks, v_counts.waiting_tasks, v_counts.oldest_waiting_seconds
  from waiting as w
  left join counted as c
    on true;
  -- Without tasks the left join still returns one row.
  v_counts.total_tasks := v_counts.pending_tasks + v_counts.initializing_tasks + v_counts.enqueuing_steps_tasks
    + v_counts.steps_in_process_tasks + v_counts.evaluating_results_tasks + v_counts.waiting_for_dependencies_tasks
    + v_counts.waiting_for_retry_tasks + v_counts.blocked_by_failures_tasks + v_counts.complete_tasks
    + v_counts.error_tasks + v_counts.cancelled_tasks + v_counts.resolved_manually_tasks;
  return v_counts;
end;
$$;

comment on function tasker.count_bound_tasks is
$$Returns p_counts with the numbers of the tasks of these namespaces and of their tasks that wait for an orchestrator.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_bound_steps.sql
create or replace function tasker.count_bound_steps(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    count(*) filter (where s.state = 'pending'),
    count(*) filter (where s.state = 'enqueued'),
    count(*) filter (where s.state = 'in_progress'),
    count(*) filter (where s.state = 'enqueued_for_orchestration'),
    count(*) filter (where s.state = 'enqueued_as_error_for_orchestration'),
    count(*) filter (where s.state = 'waiting_for_retry'),
    count(*) filter (where s.state = 'suspended'),
    count(*) filter (where s.state = 'complete'),
    count(*) filter (where s.state = 'error'),
    count(*) filter (where s.state = 'cancelled'),
    count(*) filter (where s.state = 'resolved_manually'),
    count(*),
    coalesce(sum(greatest(s.attempts - 1, 0)), 0),
    coalesce(sum(s.lost_count), 0)
  into
    v_counts.pending_steps, v_counts.enqueued_steps, v_counts.in_progress_steps, v_counts.enqueued_for_orchestration_steps,
    v_counts.enqueued_as_error_for_orchestration_steps, v_counts.waiting_for_retry_steps, v_counts.suspended_steps, v_counts.complete_steps,
    v_counts.error_steps, v_counts.cancelled_steps, v_counts.resolved_manually_steps, v_counts.total_steps,
    v_counts.retries_total, v_counts.lost_leases_total
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  join tasker.tasks as t
    on t.named_task_uuid = k.named_task_uuid
  join tasker.workflow_steps as s
    on s.task_uuid = t.task_uuid
  where n.name = any (p_namespaces);
  return v_counts;
end;
$$;

comment on function tasker.count_bound_steps is
$$Returns p_counts with the numbers of the steps of these namespaces, of their retries and of their lost leases.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/describe_server.sql
create or replace function tasker.describe_server(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  v_counts.active_connections := (select coalesce(sum(d.numbackends), 0) from pg_stat_database as d);
  v_counts.max_connections := current_setting('max_connections');
  v_counts.partitions_until := (select max(r.ends_at) from tasker.partition_ranges as r);
  v_counts.oldest_transaction_seconds :=
    coalesce(extract(epoch from clock_timestamp() - tasker.oldest_transaction()), 0);
  v_counts.standby := pg_is_in_recovery();
  v_counts.standby_lag_seconds := tasker.standby_lag();
  v_counts.diverged_steps := tasker.count_diverged_steps(p_namespaces);
  return v_counts;
end;
$$;

comment on function tasker.describe_server is
$$Returns p_counts with the counts that do not come from tasks: connections, partitions, the oldest transaction, the
standby, and steps whose function has changed. Counts only steps of these namespaces. Null means all namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/bound_health_counts.sql
create or replace function tasker.bound_health_counts(p_namespaces text[])
  returns setof tasker.system_health_counts
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_counts tasker.system_health_counts;
begin
  v_counts := tasker.count_bound_tasks(p_namespaces, v_counts);
  v_counts := tasker.count_bound_steps(p_namespaces, v_counts);
  v_counts.pending_dlq_entries := (
    select count(*)
      from tasker.tasks_dlq as d
     where d.resolution_status = 'pending'
       and d.task_snapshot #>> '{task,namespace}' = any (p_namespaces)
  );
  select count(*) filter (where not t.complete), count(*) filter (where t.complete)
    into v_counts.kept_signals, v_counts.unused_signals
    from (
      select g.task_uuid
        from tasker.task_signals as g
        join tasker.tasks as t
          on t.task_uuid = g.task_uuid
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where g.step_no is null
         and n.name = any (p_namespaces)
       order by g.task_uuid desc
       limit 10000
    ) as g
    join tasker.tasks as t
      on t.task_uuid = g.task_uuid;
  v_counts := tasker.describe_server(p_namespaces, v_counts);
  v_counts.failing_timers := tasker.count_failing_timers(p_namespaces);
  v_counts.ending_tokens := 0;
  v_counts.rolled_up_until := tasker.clock();
  return next v_counts;
end;
$$;

comment on function tasker.bound_health_counts is
$$Returns the result of tasker.get_system_health_counts for a caller that is bound to these namespaces. Counts the tasks
and steps of these namespaces, and does not read rollups.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_open_work.sql
create or replace function tasker.count_open_work(p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    coalesce(sum(o.tasks) filter (where o.state = 'pending'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'initializing'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'enqueuing_steps'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'steps_in_process'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'evaluating_results'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_dependencies'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_retry'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'blocked_by_failures'), 0),
    coalesce(sum(o.tasks), 0),
    coalesce(sum(o.open_steps - o.active_steps - o.retrying_steps - o.suspended_steps), 0),
    coalesce(sum(o.retrying_steps), 0),
    coalesce(sum(o.suspended_steps), 0)
  into
    v_counts.pending_tasks, v_counts.initializing_tasks, v_counts.enqueuing_steps_tasks, v_counts.steps_in_process_tasks,
    v_counts.evaluating_results_tasks, v_counts.waiting_for_dependencies_tasks, v_counts.waiting_for_retry_tasks,
    v_counts.blocked_by_failures_tasks, v_counts.total_tasks, v_counts.pending_steps, v_counts.waiting_for_retry_steps,
    v_counts.suspended_steps
  from tasker.count_open_tasks() as o;

  select
    count(*) filter (where q.lane not in ('running', 'results')),
    count(*) filter (where q.lane = 'running'),
    count(*) filter (where q.lane = 'results')
  into v_counts.enqueued_steps, v_counts.in_progress_steps, v_counts.enqueued_for_orchestration_steps
  from tasker.step_queue as q;
  v_counts.enqueued_as_error_for_orchestration_steps := (
    select count(*)
      from tasker.step_queue as q
      join tasker.workflow_steps as s
        on s.task_uuid = q.task_uuid
       and s.step_no = q.step_no
     where q.lane = 'results'
       and s.state = 'enqueued_as_error_for_orchestration'
  );
  v_counts.enqueued_for_orchestration_steps :=
    v_counts.enqueued_for_orchestration_steps - v_counts.enqueued_as_error_for_orchestration_steps;
  v_counts.total_steps := v_counts.pending_steps + v_counts.enqueued_steps + v_counts.in_progress_steps
    + v_counts.enqueued_for_orchestration_steps + v_counts.enqueued_as_error_for_orchestration_steps
    + v_counts.waiting_for_retry_steps + v_counts.suspended_steps;
  return v_counts;
end;
$$;

comment on function tasker.count_open_work is
$$Returns p_counts with the numbers of open tasks and steps, which are also counted in the totals. Finds open tasks
through their partial index, and counts open steps from the counters of the tasks and from the queue.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/count_ended_work.sql
create or replace function tasker.count_ended_work(p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_fresh  timestamptz := tasker.fresh_since();
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    coalesce(sum(o.completed), 0),
    coalesce(sum(o.failed - o.reset), 0),
    coalesce(sum(o.cancelled), 0),
    coalesce(sum(o.resolved), 0)
  into v_counts.complete_tasks, v_counts.error_tasks, v_counts.cancelled_tasks, v_counts.resolved_manually_tasks
  from tasker.task_totals_until_now(v_fresh) as o
  join tasker.partition_ranges as r
    on r.suffix = o.partition_suffix;
  v_counts.total_tasks := v_counts.total_tasks + v_counts.complete_tasks + v_counts.error_tasks + v_counts.cancelled_tasks
    + v_counts.resolved_manually_tasks;

  select
    coalesce(sum(o.complete) filter (where r.suffix is not null), 0),
    coalesce(sum(o.error) filter (where r.suffix is not null), 0),
    coalesce(sum(o.cancelled) filter (where r.suffix is not null), 0),
    coalesce(sum(o.resolved) filter (where r.suffix is not null), 0),
    coalesce(sum(o.retries), 0),
    coalesce(sum(o.lost), 0)
  into
    v_counts.complete_steps, v_counts.error_steps, v_counts.cancelled_steps, v_counts.resolved_manually_steps,
    v_counts.retries_total, v_counts.lost_leases_total
  from tasker.step_totals_until_now(v_fresh) as o
  left join tasker.partition_ranges as r
    on r.suffix = o.partition_suffix;
  v_counts.total_steps := v_counts.total_steps + v_counts.complete_steps + v_counts.error_steps + v_counts.cancelled_steps
    + v_counts.resolved_manually_steps;
  return v_counts;
end;
$$;

comment on function tasker.count_ended_work is
$$Returns p_counts with the numbers of ended tasks and steps, which it also adds to the totals in p_counts. The numbers
come from the totals that maintenance keeps and from the logs since then.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/get_system_health_counts.sql
create or replace function tasker.get_system_health_counts()
  returns setof tasker.system_health_counts
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_counts tasker.system_health_counts;
begin
  if v_bound is not null then
    return query select c.* from tasker.bound_health_counts(v_bound) as c;
    return;
  end if;

  v_counts := tasker.count_open_work(v_counts);
  v_counts := tasker.count_ended_work(v_counts);
  v_counts := tasker.describe_server(null, v_counts);
  select count(*), coalesce(extract(epoch from tasker.clock() - min(w.since)), 0)
    into v_counts.waiting_tasks, v_counts.oldest_waiting_seconds
    from (
      select w.waiting_since as since from tasker.waiting_tasks as w
      union all
      select m.due_at from tasker.timers as m where m.kind = 'advance_task' and m.due_at <= tasker.clock()
    ) as w;
  v_counts.pending_dlq_entries := (select count(*) from tasker.tasks_dlq as d where d.resolution_status = 'pending');
  v_counts.failing_timers := tasker.count_failing_timers(null);
  v_counts.ending_tokens := (select count(*) from tasker.ending_tokens());
  v_counts.rolled_up_until := (select nullif(r.rolled_up_until, '-infinity') from tasker.rollup_state as r);
  select count(*) filter (where not t.complete), count(*) filter (where t.complete)
    into v_counts.kept_signals, v_counts.unused_signals
    from (
      select g.task_uuid
        from tasker.task_signals as g
       where g.step_no is null
       order by g.task_uuid desc
       limit 10000
    ) as g
   cross join lateral (
     select t.complete
       from tasker.tasks as t
      where t.task_uuid = g.task_uuid
     offset 0
   ) as t;
  return next v_counts;
end;
$$;

comment on function tasker.get_system_health_counts is
$$Returns one row with the number of tasks in each of the 12 states of a task and the number of steps in each of the 11
states of a step. The row also counts connections in use and allowed, tasks that wait for an orchestrator, open
investigations, and signals that no step has taken, and says how far partitions reach. A bound caller sees only its own
namespaces.

Counts open tasks through their partial index, and open steps from the tasks' counters and the queue. Takes finished
work from the totals that maintenance keeps, and from the logs since then. If the logs have more than 20,000 new rows,
the function does not read them, and the totals are as of rolled_up_until.$$;

grant execute on function tasker.get_system_health_counts
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/queue_health.sql
create or replace view tasker.queue_health as
select
  ''::text as namespace_name,
  ''::text as lane,
  0::bigint as ready_steps,
  0::bigint as leased_steps,
  0::double precision as oldest_ready_seconds,
  0::double precision as oldest_served_seconds,
  false::boolean as paused
where false;

comment on view tasker.queue_health is
  'Row type: how long the queue of a namespace''s lane is, and how long its first row has waited.';
comment on column tasker.queue_health.ready_steps is
  'The number of rows that may be taken now, by workers or, in the lane results, by an orchestrator. In the lane running, the number of rows whose lease has ended.';
comment on column tasker.queue_health.leased_steps is
  'The number of rows that are not visible yet, because their lease has not ended or because they were handed back with a delay.';
comment on column tasker.queue_health.oldest_ready_seconds is
  'The number of seconds for which the oldest ready row has been ready. 0 if no row is ready.';
comment on column tasker.queue_health.oldest_served_seconds is
  'The same as oldest_ready_seconds, but without the steps whose handler no running worker of the namespace has: such steps wait for a program, not for a free place in a worker. If no worker runs, all steps count.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/is_served.sql
create or replace function tasker.is_served(p_namespace text, p_named_step_uuid uuid)
  returns boolean
  language sql
  stable
begin atomic
  select coalesce(bool_or(w.handlers is null or k.name = any (w.handlers)), true)
    from tasker.workers as w
   cross join lateral (
     select k.name
       from tasker.named_steps as k
      where k.named_step_uuid = p_named_step_uuid
     offset 0
   ) as k
   where w.last_seen_at > tasker.clock() - interval '1 minute'
     and (w.namespaces = '{}' or p_namespace = any (w.namespaces));
end;

comment on function tasker.is_served is
$$Returns true if a worker of the namespace that was seen within the last minute has this handler, or if no worker was
seen. A worker that registered without handlers counts as having all handlers.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/get_queue_health.sql
create or replace function tasker.get_queue_health()
  returns setof tasker.queue_health
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    n.name,
    l.lane::text,
    coalesce(q.ready, 0),
    coalesce(q.leased, 0),
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    coalesce(greatest(extract(epoch from tasker.clock() - s.oldest), 0), 0)::double precision,
    n.paused_at is not null
  from tasker.task_namespaces as n
  cross join unnest(enum_range(null::tasker.queue_lane)) as l (lane)
  left join (
    select
      q.namespace,
      q.lane,
      count(*) filter (where q.visible_at <= tasker.clock()) as ready,
      count(*) filter (where q.visible_at > tasker.clock()) as leased,
      min(q.visible_at) filter (where q.visible_at <= tasker.clock()) as oldest
    from tasker.step_queue as q
    group by q.namespace, q.lane
  ) as q
    on q.namespace = n.name
   and q.lane = l.lane
  left join (
    select
      g.namespace,
      g.lane,
      min(g.visible_at) as oldest
    from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
    where g.visible_at <= tasker.clock()
      and (g.lane in ('running', 'results') or tasker.is_served(g.namespace, g.named_step_uuid))
    group by g.namespace, g.lane
  ) as s
    on s.namespace = n.name
   and s.lane = l.lane
  where (v_bound is null or n.name = any (v_bound))
    and (n.transport = 'broker' or l.lane not in ('published_high', 'published_normal', 'published_low'))
  order by n.name, l.lane;
end;
$$;

comment on function tasker.get_queue_health is
$$Returns the length of the queue of each namespace and lane, by namespace, then by lane. Each row also says how long
the first step has waited for a worker, and how long the first step whose handler a running worker has is waiting. A
bound caller sees only its own namespaces.

Reads the index of the queue.$$;

grant execute on function tasker.get_queue_health to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/note_queues.sql
create or replace function tasker.note_queues()
  returns void
  language sql
  set search_path = pg_catalog, pg_temp
begin atomic
  insert into tasker.queue_history as o (bucket, namespace, ready, leased, oldest_seconds)
  select
    date_trunc('minute', tasker.clock(), 'UTC'), n.name, q.ready, q.leased,
    case when n.paused_at is null then coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0) else 0 end
  from (
    select
      q.namespace,
      count(*) filter (where q.visible_at <= tasker.clock()) as ready,
      count(*) filter (where q.visible_at > tasker.clock()) as leased,
      min(q.visible_at) filter (where q.visible_at <= tasker.clock()) as oldest
    from tasker.step_queue as q
    group by q.namespace
  ) as q
  join tasker.task_namespaces as n
    on n.name = q.namespace
  on conflict (bucket, namespace) do update
     set ready          = excluded.ready,
         leased         = excluded.leased,
         oldest_seconds = excluded.oldest_seconds;
  delete from tasker.queue_history as o where o.bucket < tasker.clock() - interval '7 days';
end;

comment on function tasker.note_queues is
$$Writes the present lengths of the queues into tasker.queue_history, and deletes rows that are older than a week.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/health_score.sql
create or replace function tasker.health_score(
  p_total               bigint,
  p_complete            bigint,
  p_error               bigint,
  p_active_connections  bigint,
  p_max_connections     bigint
)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_total = 0 then 1.0
    else round(
      0.5 * p_complete / p_total
      + 0.3 * (1 - p_error::numeric / p_total)
      + 0.2 * (1 - least(p_active_connections::numeric / p_max_connections, 1)), 4
    )
  end;
end;

comment on function tasker.health_score is
$$Returns the system's health as a number from 0 to 1. The share of completed tasks counts for half of it, the share of
tasks that have not failed for three tenths, and the share of free connections for two tenths.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/private/report_since.sql
create or replace function tasker.report_since(p_since timestamptz, p_default interval)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not isfinite(p_since) then
    raise exception using
      errcode = 'TK422',
      message = 'a report cannot begin at infinity',
      hint    = 'Rollups are kept for the number of days in the setting rollup_days.';
  end if;
  perform tasker.check_instant('beginning of a report', p_since);
  return coalesce(p_since, tasker.clock() - p_default);
end;
$$;

comment on function tasker.report_since is
$$Returns when a report begins: at the given time, or by default the given interval ago. Raises TK422 for an infinite time.$$;
-- <<<

-- >>> db/schema/rows/operate/analytics/analytics_metrics.sql
create or replace view tasker.analytics_metrics as
select
  0::bigint as active_tasks_count,
  0::bigint as total_namespaces_count,
  0::bigint as unique_task_types_count,
  0::numeric as system_health_score,
  0::bigint as task_throughput,
  0::bigint as completion_count,
  0::bigint as error_count,
  0::numeric as completion_rate,
  0::numeric as error_rate,
  0::numeric as avg_task_duration,
  0::numeric as avg_step_duration,
  0::bigint as step_throughput,
  '-infinity'::timestamptz as analysis_period_start,
  '-infinity'::timestamptz as calculated_at,
  null::timestamptz as rolled_up_until
where false;

comment on view tasker.analytics_metrics is
  'Row type: the work of a period.';
comment on column tasker.analytics_metrics.active_tasks_count is
  'The number of tasks that are open now.';
comment on column tasker.analytics_metrics.unique_task_types_count is
  'The number of templates. All versions of a template count as one.';
comment on column tasker.analytics_metrics.system_health_score is
  'A score from 0 to 1: the share of tasks that are complete with weight 0.5, the share of tasks that have not failed with weight 0.3, and the share of free connections with weight 0.2. 1 if there are no tasks.';
comment on column tasker.analytics_metrics.task_throughput is
  'The number of tasks that ended in the period, in any way.';
comment on column tasker.analytics_metrics.completion_rate is
  'The share of the ended tasks that completed, 0 to 1. 0 if no task ended.';
comment on column tasker.analytics_metrics.error_rate is
  'The share of the ended tasks that ended in error, 0 to 1.';
comment on column tasker.analytics_metrics.avg_task_duration is
  'The average number of seconds from the start to the end of completed tasks.';
comment on column tasker.analytics_metrics.avg_step_duration is
  'The average execution time in seconds, over the results for which a worker reported a time.';
comment on column tasker.analytics_metrics.step_throughput is
  'The number of results of steps, including failures.';
comment on column tasker.analytics_metrics.rolled_up_until is
  'The time until which work is counted. Null if maintenance has never run.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_analytics_metrics.sql
create or replace function tasker.get_analytics_metrics(p_since timestamptz default null)
  returns setof tasker.analytics_metrics
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_fresh       timestamptz := tasker.fresh_since();
  v_bound       text[] := tasker.bound_namespaces();
  v_since       timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_hours_until timestamptz := (select s.hours_until from tasker.rollup_state as s);
  v_namespaces  uuid[] := array(select n.task_namespace_uuid from tasker.task_namespaces as n where n.name = any (v_bound));
begin
  return query
  select
    h.total_tasks - h.complete_tasks - h.error_tasks - h.cancelled_tasks - h.resolved_manually_tasks,
    (select count(*) from tasker.task_namespaces as n where v_bound is null or n.name = any (v_bound)),
    (
      select count(distinct (k.task_namespace_uuid, k.name))
        from tasker.named_tasks as k
       where v_bound is null or k.task_namespace_uuid = any (v_namespaces)
    ),
    tasker.health_score(h.total_tasks, h.complete_tasks, h.error_tasks, h.active_connections, h.max_connections),
    w.ended,
    w.completed,
    w.failed,
    case when w.ended = 0 then 0 else round(w.completed::numeric / w.ended, 4) end,
    case when w.ended = 0 then 0 else round(w.failed::numeric / w.ended, 4) end,
    case when w.completed = 0 then 0 else round(w.completed_ms::numeric / w.completed / 1000, 3) end,
    case when w.timed = 0 then 0 else round(w.duration_ms::numeric / w.timed / 1000, 3) end,
    w.results,
    v_since,
    tasker.clock(),
    h.rolled_up_until
  from tasker.get_system_health_counts() as h
  cross join (
    select
      coalesce(sum(r.completed + r.failed + r.cancelled + r.resolved), 0)::bigint as ended,
      coalesce(sum(r.completed), 0)::bigint as completed,
      coalesce(sum(r.failed), 0)::bigint as failed,
      coalesce(sum(r.completed_ms), 0)::bigint as completed_ms,
      coalesce(sum(r.results), 0)::bigint as results,
      coalesce(sum(r.timed), 0)::bigint as timed,
      coalesce(sum(r.duration_ms), 0)::bigint as duration_ms
    from (
      select r.*
        from tasker.work_rollups_since(v_since, v_hours_until) as r
       where v_fresh is null
          or r.bucket < v_fresh
      union all
      select f.*
        from tasker.fresh_work(greatest(v_fresh, date_trunc('minute', v_since, 'UTC'))) as f
       where v_fresh is not null
    ) as r
    where v_bound is null or r.task_namespace_uuid = any (v_namespaces)
  ) as w;
end;
$$;

comment on function tasker.get_analytics_metrics is
$$Returns one row about the work since p_since (default: the last hour, in whole minutes): how many tasks ended,
completed and failed, how many results were recorded, durations, and one number for the system's health. A bound caller
sees only its own namespaces.

Reads rollups, and the rows that were logged since the last rollup. If the logs have more than 20,000 new rows, the
function does not read them, and the numbers are as of rolled_up_until. Raises TK422 for an infinite time.$$;

grant execute on function tasker.get_analytics_metrics
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/slowest_steps.sql
create or replace view tasker.slowest_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as step_name,
  0::numeric as avg_duration_seconds,
  0::numeric as max_duration_seconds,
  0::numeric as min_duration_seconds,
  0::integer as execution_count,
  0::integer as error_count,
  0::numeric as error_rate,
  '-infinity'::timestamptz as last_executed_at,
  0::numeric as p50_duration_seconds,
  0::numeric as p95_duration_seconds,
  0::numeric as p99_duration_seconds,
  0::numeric as total_seconds
where false;

comment on view tasker.slowest_steps is
  'Row type: a handler, how long its executions took, and how many failed.';
comment on column tasker.slowest_steps.avg_duration_seconds is
  'The average duration. All durations of this row type are of the executions for which a worker reported a time.';
comment on column tasker.slowest_steps.execution_count is
  'The number of results, including failures.';
comment on column tasker.slowest_steps.error_rate is
  'The share of failures, 0 to 1.';
comment on column tasker.slowest_steps.p95_duration_seconds is
  'The 95th percentile. A percentile differs from the exact value by at most 9.1 percent plus half a millisecond.';
comment on column tasker.slowest_steps.total_seconds is
  'The total time of all executions in seconds.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_slowest_steps.sql
create or replace function tasker.get_slowest_steps(
  p_since      timestamptz  default null,
  p_limit      integer      default null,
  p_namespace  text         default null,
  p_task_name  text         default null,
  p_version    text         default null
)
  returns setof tasker.slowest_steps
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_fresh       timestamptz := tasker.fresh_since();
  v_bound text[] := tasker.bound_namespaces();
  v_since       timestamptz := tasker.report_since(p_since, interval '24 hours');
  v_hours_until timestamptz := (select s.hours_until from tasker.rollup_state as s);
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_page_size(p_limit);
  return query
  with slowest as (
    select
      r.named_step_uuid,
      sum(r.results) as n,
      sum(r.failures) as failed,
      sum(r.timed) as timed,
      sum(r.duration_ms) as ms,
      sum(r.duration_ms) / nullif(sum(r.timed), 0) as mean_ms,
      min(r.min_ms) as min_ms,
      max(r.max_ms) as max_ms,
      max(r.last_at) as last_at,
      sum(r.durations) as durations
    from (
      select r.*
        from tasker.step_rollups_since(v_since, v_hours_until) as r
       where v_fresh is null
          or r.bucket < v_fresh
      union all
      select f.*
        from tasker.count_steps_since(greatest(v_fresh, date_trunc('minute', v_since, 'UTC'))) as f
       where v_fresh is not null
    ) as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where (p_namespace is null or n.name = p_namespace)
      and (v_bound is null or n.name = any (v_bound))
      and (p_task_name is null or k.name = p_task_name)
      and (p_version is null or k.version = p_version)
    group by r.named_step_uuid
    order by mean_ms desc nulls last, r.named_step_uuid
    limit coalesce(p_limit, 10)
  )
  select
    s.named_step_uuid,
    k.name,
    coalesce(round(s.mean_ms / 1000, 3), 0),
    coalesce(round(s.max_ms / 1000.0, 3), 0),
    coalesce(round(s.min_ms / 1000.0, 3), 0),
    s.n::integer,
    s.failed::integer,
    round(s.failed / s.n, 4),
    s.last_at,
    p.p50,
    p.p95,
    p.p99,
    round(s.ms / 1000.0, 3)
  from slowest as s
  join tasker.named_steps as k
    on k.named_step_uuid = s.named_step_uuid
  cross join lateral tasker.percentiles_of(s.durations, s.min_ms, s.max_ms) as p
  order by s.mean_ms desc nulls last, s.named_step_uuid;
end;
$$;

comment on function tasker.get_slowest_steps is
$$Returns the handlers whose executions took longest on average since p_since (default: the last 24 hours), the slowest
first, with their times, percentiles and failures. Returns only templates that match all filters. A null argument does
not filter. A bound caller sees only its own namespaces.

Returns up to p_limit rows (default 10). Reads whole hours from a materialised view, the other minutes from rollups, and
the rows that were logged since the last rollup. If the logs have more than 20,000 new rows, the function does not read
them, and the result is as of rolled_up_until. Raises TK422 for a limit out of range or an infinite time, and TK403 if
the caller is bound to other namespaces.$$;

grant execute on function tasker.get_slowest_steps
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/slowest_tasks.sql
create or replace view tasker.slowest_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as task_name,
  0::numeric as avg_duration_seconds,
  0::numeric as max_duration_seconds,
  0::numeric as min_duration_seconds,
  0::integer as execution_count,
  0::numeric as avg_step_count,
  0::integer as error_count,
  0::numeric as error_rate,
  '-infinity'::timestamptz as last_executed_at,
  ''::text as namespace_name,
  ''::text as task_version,
  0::numeric as p50_duration_seconds,
  0::numeric as p95_duration_seconds,
  0::numeric as p99_duration_seconds
where false;

comment on view tasker.slowest_tasks is
  'Row type: a template, how long its tasks took from start to end, and how many failed.';
comment on column tasker.slowest_tasks.execution_count is
  'The number of tasks that ended in any way. The durations and the numbers of steps cover all these tasks.';
comment on column tasker.slowest_tasks.error_count is
  'The number of tasks that ended in error.';
comment on column tasker.slowest_tasks.error_rate is
  'The share of tasks that ended in error, 0 to 1.';
comment on column tasker.slowest_tasks.last_executed_at is
  'The time when the last of these tasks ended.';
comment on column tasker.slowest_tasks.p95_duration_seconds is
  'The 95th percentile. A percentile differs from the exact value by at most 9.1 percent plus half a millisecond.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_slowest_tasks.sql
create or replace function tasker.get_slowest_tasks(
  p_since      timestamptz  default null,
  p_limit      integer      default null,
  p_namespace  text         default null,
  p_task_name  text         default null,
  p_version    text         default null
)
  returns setof tasker.slowest_tasks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_fresh       timestamptz := tasker.fresh_since();
  v_bound text[] := tasker.bound_namespaces();
  v_since       timestamptz := tasker.report_since(p_since, interval '24 hours');
  v_hours_until timestamptz := (select s.hours_until from tasker.rollup_state as s);
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_page_size(p_limit);
  return query
  with slowest as (
    select
      r.named_task_uuid,
      sum(r.completed + r.failed + r.cancelled + r.resolved) as n,
      sum(r.failed) as failed,
      sum(r.steps) as steps,
      sum(r.duration_ms) / sum(r.completed + r.failed + r.cancelled + r.resolved) as mean_ms,
      min(r.min_ms) as min_ms,
      max(r.max_ms) as max_ms,
      max(r.last_at) as last_at,
      sum(r.durations) as durations
    from (
      select r.*
        from tasker.task_rollups_since(v_since, v_hours_until) as r
       where v_fresh is null
          or r.bucket < v_fresh
      union all
      select f.*
        from tasker.count_tasks_since(greatest(v_fresh, date_trunc('minute', v_since, 'UTC'))) as f
       where v_fresh is not null
    ) as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    where (p_namespace is null or n.name = p_namespace)
      and (v_bound is null or n.name = any (v_bound))
      and (p_task_name is null or k.name = p_task_name)
      and (p_version is null or k.version = p_version)
      -- Skip minutes in which tasks only started.
      and r.last_at is not null
    group by r.named_task_uuid
    order by mean_ms desc, r.named_task_uuid
    limit coalesce(p_limit, 10)
  )
  select
    s.named_task_uuid,
    k.name,
    round(s.mean_ms / 1000, 3),
    round(s.max_ms / 1000.0, 3),
    round(s.min_ms / 1000.0, 3),
    s.n::integer,
    round(s.steps / s.n, 2),
    s.failed::integer,
    round(s.failed / s.n, 4),
    s.last_at,
    n.name,
    k.version,
    p.p50,
    p.p95,
    p.p99
  from slowest as s
  join tasker.named_tasks as k
    on k.named_task_uuid = s.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral tasker.percentiles_of(s.durations, s.min_ms, s.max_ms) as p
  order by s.mean_ms desc, s.named_task_uuid;
end;
$$;

comment on function tasker.get_slowest_tasks is
$$Returns the templates whose tasks took longest on average from start to end since p_since (default: the last 24
hours), the slowest first, with their times, percentiles, steps and failures. Returns only templates that match all
filters. A null argument does not filter. A bound caller sees only its own namespaces.

Returns up to p_limit rows (default 10). Reads whole hours from a materialised view, the other minutes from rollups, and
the rows that were logged since the last rollup. If the logs have more than 20,000 new rows, the function does not read
them, and the result is as of rolled_up_until. Raises TK422 for a limit out of range or an infinite time, and TK403 if
the caller is bound to other namespaces.$$;

grant execute on function tasker.get_slowest_tasks
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/throughput.sql
create or replace view tasker.throughput as
select
  '-infinity'::timestamptz as bucket_start,
  0::bigint as tasks_started,
  0::bigint as tasks_completed,
  0::bigint as tasks_failed,
  0::bigint as tasks_cancelled,
  0::bigint as tasks_resolved,
  0::bigint as step_results,
  0::bigint as step_failures,
  0::numeric as avg_task_seconds,
  0::numeric as avg_step_seconds
where false;

comment on view tasker.throughput is
  'Row type: the work of one period.';
comment on column tasker.throughput.avg_task_seconds is
  'The average number of seconds from the start to the end of the tasks that completed in the period. 0 if no task completed.';
comment on column tasker.throughput.step_results is
  'The number of results of steps, including failures.';
-- <<<

-- >>> db/schema/functions/operate/analytics/private/check_periods.sql
create or replace function tasker.check_periods(p_since timestamptz, p_bucket interval)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_bucket < interval '1 minute' or p_bucket > interval '366 days'
     or extract(month from p_bucket) + extract(year from p_bucket) <> 0
     or extract(epoch from p_bucket) % 60 <> 0 then
    raise exception using
      errcode = 'TK422',
      message = format('throughput cannot be divided into periods of %s', p_bucket),
      hint    = 'Use whole minutes, up to 366 days, without months.';
  end if;
  if (tasker.clock() - p_since) > 10000 * p_bucket then
    raise exception using
      errcode = 'TK422',
      message = format('there are more than 10,000 periods of %s since %s', p_bucket, p_since),
      hint    = 'Begin later, or choose longer periods.';
  end if;
end;
$$;

comment on function tasker.check_periods is
$$Raises TK422 if a report from p_since on cannot be divided into periods of p_bucket, or has more than 10,000 periods.$$;
-- <<<

-- >>> db/schema/functions/operate/analytics/get_throughput.sql
create or replace function tasker.get_throughput(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.throughput
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
  set timezone = 'UTC'
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_since  timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);

  return query
  select
    b.start,
    coalesce(w.started, 0),
    coalesce(w.completed, 0),
    coalesce(w.failed, 0),
    coalesce(w.cancelled, 0),
    coalesce(w.resolved, 0),
    coalesce(w.results, 0),
    coalesce(w.failures, 0),
    coalesce(round(w.completed_ms / nullif(w.completed, 0) / 1000.0, 3), 0),
    coalesce(round(w.duration_ms / nullif(w.timed, 0) / 1000.0, 3), 0)
  from generate_series(v_since, tasker.clock(), v_bucket) as b (start)
  left join (
    select
      date_bin(v_bucket, r.bucket, v_origin) as start,
      sum(r.started)::bigint as started,
      sum(r.completed)::bigint as completed,
      sum(r.failed)::bigint as failed,
      sum(r.cancelled)::bigint as cancelled,
      sum(r.resolved)::bigint as resolved,
      sum(r.completed_ms) as completed_ms,
      sum(r.results)::bigint as results,
      sum(r.failures)::bigint as failures,
      sum(r.timed) as timed,
      sum(r.duration_ms) as duration_ms
    from tasker.work_rollups as r
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = r.task_namespace_uuid
    where r.bucket >= v_since
      and (p_namespace is null or n.name = p_namespace)
      and (v_bound is null or n.name = any (v_bound))
    group by 1
  ) as w
    on w.start = b.start
  order by b.start;
end;
$$;

comment on function tasker.get_throughput is
$$Returns a series for charts: how many tasks started and ended and how many results were recorded in each period of
length p_bucket (default: a minute) since p_since (default: the last hour). A period without work has a row, too. A
bound caller sees only its own namespaces.

Reads rollups. Minutes that are older than two days have been merged into hours. Raises TK422 for an infinite time, and
for periods that are not whole minutes or are more than 10,000. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_throughput
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/queue_lengths.sql
create or replace view tasker.queue_lengths as
select
  '-infinity'::timestamptz as bucket_start,
  0::bigint as ready,
  0::bigint as leased,
  0::double precision as oldest_seconds
where false;

comment on view tasker.queue_lengths is
  'Row type: the greatest length of the queues within a span of time: the numbers of ready and of leased steps, summed over all namespaces, and the wait of the oldest ready step.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_queue_history.sql
create or replace function tasker.get_queue_history(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.queue_lengths
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set timezone = 'UTC'
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_since  timestamptz := greatest(tasker.report_since(p_since, interval '1 hour'), tasker.clock() - interval '7 days');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);

  return query
  select b.start, coalesce(w.ready, 0), coalesce(w.leased, 0), coalesce(w.oldest_seconds, 0)
    from generate_series(v_since, tasker.clock(), v_bucket) as b (start)
    left join (
      select date_bin(v_bucket, m.bucket, v_origin) as start, max(m.ready)::bigint as ready, max(m.leased)::bigint as leased, max(m.oldest_seconds) as oldest_seconds
        from (
          select h.bucket, sum(h.ready) as ready, sum(h.leased) as leased, max(h.oldest_seconds) as oldest_seconds
            from tasker.queue_history as h
           where h.bucket >= v_since
             and (p_namespace is null or h.namespace = p_namespace)
             and (v_bound is null or h.namespace = any (v_bound))
           group by h.bucket
        ) as m
       group by 1
    ) as w
      on w.start = b.start
   order by b.start;
end;
$$;

comment on function tasker.get_queue_history is
$$Returns the largest length of each queue in each period of length p_bucket (default: a minute) since p_since (default:
the last hour, at most a week). A bound caller sees only its own namespaces.

The maintenance duty "rollups" measures the queues once a minute, so it misses a queue that fills and empties in
between. Raises TK422 for a time or a period that is out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_queue_history to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/handler_failures.sql
create or replace view tasker.handler_failures as
select
  '-infinity'::timestamptz as bucket_start,
  ''::text as handler,
  0::bigint as results,
  0::bigint as failures
where false;

comment on view tasker.handler_failures is
  'Row type: the failures of a handler in one period.';
comment on column tasker.handler_failures.results is
  'The number of results of the handler, including failures, in the templates in which it failed.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_handler_failures.sql
create or replace function tasker.get_handler_failures(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.handler_failures
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set plan_cache_mode = force_custom_plan
  set timezone = 'UTC'
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_since  timestamptz := tasker.report_since(p_since, interval '1 hour');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);
  return query
  select date_bin(v_bucket, r.bucket, v_origin), h.name, sum(r.results)::bigint, sum(r.failures)::bigint
    from tasker.step_rollups as r
    join tasker.named_tasks as k
      on k.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    join tasker.named_steps as h
      on h.named_step_uuid = r.named_step_uuid
   where r.bucket >= v_since
     and r.failures > 0
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
   group by 1, 2
   order by 1, 2;
end;
$$;

comment on function tasker.get_handler_failures is
$$Returns a series for charts: the number of failures of each handler in each period of length p_bucket (default: a
minute) since p_since (default: the last hour). A period in which a handler did not fail has no row for it. A bound
caller sees only its own namespaces.

Reads rollups. Minutes that are older than two days have been merged into hours. Raises TK422 for an infinite time, and
for periods that are not whole minutes or are more than 10,000. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_handler_failures
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/analytics/work_totals.sql
create or replace view tasker.work_totals as
select
  ''::text as namespace_name,
  0::bigint as tasks_started,
  0::bigint as tasks_completed,
  0::bigint as tasks_failed,
  0::bigint as tasks_cancelled,
  0::bigint as tasks_resolved,
  0::bigint as tasks_reset,
  0::bigint as step_results,
  0::bigint as step_failures,
  0::double precision as execution_seconds
where false;

comment on view tasker.work_totals is
  'Row type: the totals of a namespace. The totals never decrease, so that they can serve as counters.';
comment on column tasker.work_totals.execution_seconds is
  'The total execution time in seconds that workers reported for the namespace''s results.';
-- <<<

-- >>> db/schema/functions/operate/analytics/get_work_totals.sql
create or replace function tasker.get_work_totals(p_rolled_up boolean default false)
  returns setof tasker.work_totals
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_bound text[]      := tasker.bound_namespaces();
  v_fresh timestamptz := case when p_rolled_up is not true then tasker.fresh_since() end;
begin
  return query
  select
    n.name,
    coalesce(sum(t.started), 0)::bigint,
    coalesce(sum(t.completed), 0)::bigint,
    coalesce(sum(t.failed), 0)::bigint,
    coalesce(sum(t.cancelled), 0)::bigint,
    coalesce(sum(t.resolved), 0)::bigint,
    coalesce(sum(t.reset), 0)::bigint,
    coalesce(sum(r.results), 0)::bigint,
    coalesce(sum(r.failures), 0)::bigint,
    (coalesce(sum(r.duration_ms), 0) / 1000)::double precision
  from tasker.task_namespaces as n
  left join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  left join (
    select
      o.named_task_uuid,
      sum(o.started) as started,
      sum(o.completed) as completed,
      sum(o.failed) as failed,
      sum(o.cancelled) as cancelled,
      sum(o.resolved) as resolved,
      sum(o.reset) as reset
    from tasker.task_totals_until_now(v_fresh) as o
    group by o.named_task_uuid
  ) as t
    on t.named_task_uuid = k.named_task_uuid
  left join (
    select
      u.named_task_uuid,
      sum(u.results) as results,
      sum(u.failures) as failures,
      sum(u.duration_ms) as duration_ms
    from (
      select o.named_task_uuid, o.results, o.failures, o.duration_ms
        from tasker.result_totals as o
      union all
      select m.named_task_uuid, m.results, m.failures, m.duration_ms
        from tasker.step_rollups as m
       where m.bucket >= (select s.settled_until from tasker.rollup_state as s)
         and v_fresh is null
      union all
      select f.named_task_uuid, f.results, f.failures, f.duration_ms
        from tasker.count_steps_since(v_fresh) as f
       where v_fresh is not null
    ) as u
    group by u.named_task_uuid
  ) as r
    on r.named_task_uuid = k.named_task_uuid
  where v_bound is null or n.name = any (v_bound)
  group by n.name
  order by n.name;
end;
$$;

comment on function tasker.get_work_totals is
$$Returns the totals of each namespace since its creation: started and ended tasks, results, failures, and execution
time. Dropping old partitions does not lower the totals.

Reads the totals that maintenance keeps, and the logs since the last rollup. If the logs have more than 20,000 new rows,
the function does not read them, and the numbers are as of rolled_up_until. With p_rolled_up the function never reads
logs. Then the numbers never fall, as the counters of a monitoring system must not. A bound caller sees only its own
namespaces.$$;

grant execute on function tasker.get_work_totals to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/audit/get_audit_by_time_range.sql
create or replace function tasker.get_audit_by_time_range(
  p_since      timestamptz,
  p_until      timestamptz  default null,
  p_success    boolean      default null,
  p_namespace  text         default null,
  p_limit      integer      default null,
  p_offset     integer      default null
)
  returns setof tasker.step_audits
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_since is null then
    raise exception using
      errcode = 'TK422',
      message = 'the beginning of the period is null',
      hint    = 'An audit report covers a range of time; pass p_since.';
  end if;
  if p_offset < 0 then
    raise exception using
      errcode = 'TK422',
      message = format('a page cannot begin at row %s', p_offset),
      hint    = 'The offset must be 0 or more.';
  end if;
  perform tasker.check_page_size(p_limit);

  -- The query is planned for the given period and filter. The index on recorded_at leads to the pages of the period,
  -- and an index of failures leads to its failures.
  return query
  select d.*
    from tasker.describe_audits(array(
      select a.audit
        from (
          select l.task_uuid, l.step_no, l.row_key, l.recorded_at
            from tasker.step_result_log as l
           where l.recorded_at >= p_since
             and (p_until is null or l.recorded_at < p_until)
             and (p_success is null or l.success = p_success)
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
             and (p_namespace is null or exists (
               select
                 from tasker.tasks as t
                 join tasker.named_tasks as k
                   on k.named_task_uuid = t.named_task_uuid
                 join tasker.task_namespaces as n
                   on n.task_namespace_uuid = k.task_namespace_uuid
                where t.task_uuid = l.task_uuid
                  and n.name = p_namespace
             ))
           order by l.recorded_at desc, l.task_uuid, l.step_no, l.row_key
           limit coalesce(p_limit, 1000)
          offset coalesce(p_offset, 0)
        ) as r
       cross join lateral (
         select a as audit
           from tasker.workflow_step_result_audit as a
          where a.task_uuid = r.task_uuid
            and a.step_no = r.step_no
            and a.row_key = r.row_key
         offset 0
       ) as a
       order by r.recorded_at desc, r.task_uuid, r.step_no, r.row_key
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_time_range is
$$Returns the results that were recorded from p_since until before p_until, with their worker or operator, newest first.
With p_success, returns only successes, or only failures. A null argument does not filter. A bound caller sees only its
own namespaces.

Reads only the pages of the period, or only its failures, each through an index. A page has p_limit rows (default 1,000,
at most 10,000). For a later page, pass the number of rows before it as p_offset. Raises TK422 without p_since, or for a
limit or offset out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_audit_by_time_range
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/audit/integrity_problems.sql
create or replace view tasker.integrity_problems as
select
  null::uuid as task_uuid,
  null::integer as step_no,
  null::integer as sort_key,
  ''::text as object,
  ''::text as problem
where false;

comment on view tasker.integrity_problems is
  'Row type: an inconsistency in the history or the audit. Only a change that bypassed the engine can cause it.';
comment on column tasker.integrity_problems.step_no is
  'The number of the step. Null if the inconsistency concerns the task itself.';
comment on column tasker.integrity_problems.object is
  'The table in which the inconsistency was found.';
-- <<<

-- >>> db/schema/functions/operate/audit/private/history_problems.sql
create or replace function tasker.history_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select l.task_uuid, null::integer, l.sort_key, 'task_transition_log',
         format('starts from %s, but the transition before it ended in %s', l.from_state, l.state_before)
    from (
      select
        l.*,
        lag(l.to_state, 1, 'pending') over w as state_before,
        row_number() over w as place
      from tasker.task_transition_log as l
      where l.task_uuid >= p_from
        and l.task_uuid < p_to
      window w as (partition by l.task_uuid order by l.sort_key)
    ) as l
   where l.from_state <> l.state_before
      or l.sort_key <> l.place
  union all
  select t.task_uuid, null, t.transition_count, 'tasks',
         format('is %s after %s transitions, but its log ends in %s', t.state, t.transition_count, coalesce(l.to_state::text, 'no state'))
    from tasker.tasks as t
    left join (tasker.task_log as r join tasker.task_log_paths as l on l.path = r.path and l.after = 0)
      on r.task_uuid = t.task_uuid
     and r.sort_key = t.transition_count
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.state is distinct from coalesce(
       l.to_state, case when t.transition_count = 0 then 'pending'::tasker.task_state end
     )
  union all
  select l.task_uuid, l.step_no, l.sort_key, 'workflow_step_transition_log',
         format('starts from %s, but the transition before it ended in %s', l.from_state, l.state_before)
    from (
      select
        l.*,
        lag(l.to_state, 1, 'pending') over w as state_before,
        row_number() over w as place
      from tasker.workflow_step_transition_log as l
      where l.task_uuid >= p_from
        and l.task_uuid < p_to
      window w as (partition by l.task_uuid, l.step_no order by l.sort_key)
    ) as l
   where l.from_state <> l.state_before
      or l.sort_key <> l.place
  union all
  select s.task_uuid, s.step_no, s.transition_count, 'workflow_steps',
         format('is %s after %s transitions, but its log ends in %s', s.state, s.transition_count, coalesce(l.to_state::text, 'no state'))
    from tasker.workflow_steps as s
    left join (tasker.step_log as r join tasker.step_log_paths as l on l.path = r.path and l.after = 0)
      on r.task_uuid = s.task_uuid
     and r.step_no = s.step_no
     and r.sort_key = s.transition_count
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.state is distinct from coalesce(
       l.to_state, case when s.transition_count = 0 then 'pending'::tasker.step_state end
     );
end;
$$;

comment on function tasker.history_problems is
$$Finds tasks and steps whose log is not a path to their state: a transition is missing, was added or was changed, at
the beginning, in the middle or at the end. Checks the tasks between two UUIDs.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/counter_problems.sql
create or replace function tasker.counter_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  -- For new tables the planner expects few rows. Then it would choose a nested loop that counts the parents of all
  -- steps again for each step.
  set enable_nestloop = off
as $$
begin
  return query
  -- A task's counters agree with its steps.
  select t.task_uuid, null::integer, null::integer, 'tasks',
         format(
           'counts %s steps, %s open, %s active, %s retrying, %s suspended, %s failed; its steps are %s, %s, %s, %s, %s, %s',
           t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
           coalesce(c.total, 0), coalesce(c.open, 0), coalesce(c.active, 0), coalesce(c.retrying, 0),
           coalesce(c.suspended, 0), coalesce(c.failed, 0)
         )
    from tasker.tasks as t
    left join (
      select
        s.task_uuid,
        count(*) as total,
        count(*) filter (where not d.terminal) as open,
        count(*) filter (where d.in_processing_pipeline) as active,
        count(*) filter (where s.state = 'waiting_for_retry') as retrying,
        count(*) filter (where s.state = 'suspended') as suspended,
        count(*) filter (where d.error) as failed
      from tasker.workflow_steps as s
      join tasker.step_states as d
        on d.state = s.state
      where s.task_uuid >= p_from
        and s.task_uuid < p_to
      group by s.task_uuid
    ) as c
      on c.task_uuid = t.task_uuid
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and (t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps)
         is distinct from
         (coalesce(c.total, 0), coalesce(c.open, 0), coalesce(c.active, 0), coalesce(c.retrying, 0),
           coalesce(c.suspended, 0), coalesce(c.failed, 0))
  union all
  -- A step's counters agree with its parents.
  select s.task_uuid, s.step_no, null, 'workflow_steps',
         format(
           'counts %s parents, %s pending, %s satisfied; its parents are %s, %s, %s',
           s.total_parents, s.pending_parents, s.satisfied_parents,
           coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.satisfied, 0)
         )
    from tasker.workflow_steps as s
    left join (
      select
        e.task_uuid,
        e.to_step_no,
        count(*) as total,
        count(*) filter (where not d.settles_dependencies) as pending,
        count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end
        ) as satisfied
      from tasker.workflow_step_edges as e
      join tasker.workflow_steps as p
        on p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
      join tasker.step_states as d
        on d.state = p.state
      where e.task_uuid >= p_from
        and e.task_uuid < p_to
        and p.task_uuid >= p_from
        and p.task_uuid < p_to
      group by e.task_uuid, e.to_step_no
    ) as c
      on c.task_uuid = s.task_uuid
     and c.to_step_no = s.step_no
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and (s.total_parents, s.pending_parents, s.satisfied_parents)
         is distinct from (coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.satisfied, 0))
     -- An erased result satisfies no condition. The function tasker.erasure_problems checks the counters of an
     -- erased task.
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid);
end;
$$;

comment on function tasker.counter_problems is
$$Finds tasks in a range whose counters do not agree with their steps, and steps whose counters do not agree with their parents.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/row_problems.sql
create or replace function tasker.row_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The claim number is never below a claim number in the log, unless the log has the largest integer.
  select l.task_uuid, l.step_no, null::integer, 'workflow_steps',
         format('is at claim number %s; its log has %s', s.claim_no, l.claim_no)
    from (
      select m.task_uuid, m.step_no, max(m.claim_no) as claim_no
        from tasker.step_log as m
       where m.task_uuid >= p_from
         and m.task_uuid < p_to
       group by m.task_uuid, m.step_no
    ) as l
    join tasker.workflow_steps as s
      on s.task_uuid = l.task_uuid
     and s.step_no = l.step_no
   where s.claim_no < l.claim_no
     and l.claim_no < 2147483647
  union all
  -- The result of a step is the result that was recorded last.
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', 'has other results than those recorded'
    from tasker.workflow_steps as s
    left join lateral (
      select m.sort_key, m.result_digest
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         -- A step that was rerun has lost its result.
         and (m.result_digest is not null or m.event = 'Rerun')
       order by m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and l.result_digest is distinct from tasker.result_digest(s.results)
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid)
  union all
  -- A task ended at the time of one of its transitions.
  select t.task_uuid, null, null, 'tasks', format('ended at %s, when its log has no transition', t.completed_at)
    from tasker.tasks as t
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.completed_at is not null
     and not exists (
       select
         from tasker.task_log as l
        where l.task_uuid = t.task_uuid
          and l.created_at between t.completed_at - interval '1 minute' and t.completed_at + interval '1 minute'
     )
  union all
  -- No history, step or edge refers to a missing row.
  select l.task_uuid, null, min(l.sort_key), 'task_transition_log', 'is the history of a task that does not exist'
    from tasker.task_transition_log as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = l.task_uuid)
   group by l.task_uuid
  union all
  select l.task_uuid, l.step_no, min(l.sort_key), 'workflow_step_transition_log', 'is the history of a step that does not exist'
    from tasker.workflow_step_transition_log as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (select from tasker.workflow_steps as s where s.task_uuid = l.task_uuid and s.step_no = l.step_no)
   group by l.task_uuid, l.step_no
  union all
  select s.task_uuid, s.step_no, null, 'workflow_steps', 'is a step of a task that does not exist'
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = s.task_uuid)
  union all
  -- An identity belongs to the task that was created with it.
  select t.task_uuid, null, null, 'task_identities', 'leads to a task that was created under another identity'
    from tasker.task_identities as i
    join tasker.tasks as t
      on t.task_uuid = i.task_uuid
   where i.task_uuid >= p_from
     and i.task_uuid < p_to
     and i.identity_hash is distinct from t.identity_hash;
end;
$$;

comment on function tasker.row_problems is
$$Finds rows that contradict one another: claim numbers, results, identities, and history, steps or edges whose task or
step does not exist. Checks the tasks between two UUIDs.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/attempt_problems.sql
create or replace function tasker.attempt_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with changes as (
    select
      l.task_uuid, l.step_no, l.sort_key,
      -- After a restart by an operator the count begins again.
      count(*) filter (where l.event in ('Retry', 'Reset') and l.from_state = 'error' or l.event = 'Rerun') over (w rows unbounded preceding) as restart,
      case
        when l.event in ('Retry', 'Reset') and l.from_state = 'error' or l.event = 'Rerun' then 0
        else tasker.attempts_after(l.event, l.from_state, 1) - 1
      end as change
      from tasker.workflow_step_transition_log as l
     where l.task_uuid >= p_from
       and l.task_uuid < p_to
    window w as (partition by l.task_uuid, l.step_no order by l.sort_key)
  ),
  sums as (
    select
      c.task_uuid, c.step_no, c.sort_key, c.restart,
      sum(c.change) over (partition by c.task_uuid, c.step_no, c.restart order by c.sort_key) as attempts
      from changes as c
  ),
  -- Attempts are never below 0. Taking back an attempt from 0 changes nothing.
  counted as (
    select distinct on (u.task_uuid, u.step_no)
      u.task_uuid, u.step_no,
      u.attempts - least(0, min(u.attempts) over (partition by u.task_uuid, u.step_no, u.restart)) as attempts
      from sums as u
     order by u.task_uuid, u.step_no, u.sort_key desc
  )
  select s.task_uuid, s.step_no, null::integer, 'workflow_steps', format('has %s attempts; its log has %s', s.attempts, coalesce(c.attempts, 0))
    from tasker.workflow_steps as s
    left join counted as c
      on c.task_uuid = s.task_uuid
     and c.step_no = s.step_no
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     -- A step that starts tasks counts the attempts of these tasks, and does not start itself.
     and s.child_task_uuid is null
     -- When a durable function keeps a result, the count begins again without a transition.
     and (s.attempts > coalesce(c.attempts, 0) or s.attempts < c.attempts and s.function_round is null);
end;
$$;

comment on function tasker.attempt_problems is
$$Finds steps of the tasks between two UUIDs whose attempts differ from the count in their log.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/logged_step_problems.sql
create or replace function tasker.logged_step_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select a.* from tasker.attempt_problems(p_from, p_to) as a
  union all
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', format('was claimed by the login %s; its log has %s', s.claim_login, coalesce(l.login, 'no claim'))
    from tasker.workflow_steps as s
    left join lateral (
      select
        m.sort_key,
        -- A row without a login has the same login as the preceding row.
        coalesce(
          m.login,
          (
            select n.login
              from tasker.workflow_step_transition_log as n
             where n.task_uuid = m.task_uuid
               and n.step_no = m.step_no
               and n.sort_key < m.sort_key
               and n.login is not null
             order by n.sort_key desc
             limit 1
          ),
          (select t.login from tasker.tasks as t where t.task_uuid = m.task_uuid)
        ) as login
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         and m.event = 'Start'
       order by m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.claim_login is distinct from l.login
  union all
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', 'has another error than that recorded last'
    from tasker.workflow_steps as s
    left join lateral (
      select m.sort_key, m.metadata ->> 'error' as error
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         and m.to_state in ('enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error')
       -- If a failure wrote several rows, the first row has the error.
       order by m.metadata ? 'error' is true and not exists (
         select
           from tasker.workflow_step_transition_log as n
          where n.task_uuid = m.task_uuid
            and n.step_no = m.step_no
            and n.sort_key > m.sort_key + 1
            and n.to_state in ('enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error')
       ) desc, m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and (l.sort_key is null and s.last_error is not null or l.error is not null and s.last_error is distinct from l.error)
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid);
end;
$$;

comment on function tasker.logged_step_problems is
$$Finds steps of the tasks between two UUIDs whose attempts, last error or login of the newest claim differ from their
log. An error that the engine itself wrote is not in the log and is not compared.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/signal_problems.sql
create or replace function tasker.signal_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The signals of a task are numbered without gaps, and the task exists.
  select g.task_uuid, null::integer, null::integer, 'task_signals',
         case when t.task_uuid is null
           then 'has signals of a task that does not exist'
           else format('lacks a signal: the last one is number %s, and there are %s', g.last, g.total)
         end
    from (
      select g.task_uuid, max(g.signal_no) as last, count(*) as total
        from tasker.task_signals as g
       where g.task_uuid >= p_from
         and g.task_uuid < p_to
       group by g.task_uuid
    ) as g
    left join tasker.tasks as t
      on t.task_uuid = g.task_uuid
   where t.task_uuid is null
      or g.last <> g.total
  union all
  -- If a wait took a signal, the signal is the result that was logged for the wait.
  select g.task_uuid, g.step_no, null, 'task_signals', format('has signal %s as taken by a step whose history does not have it', g.signal_no)
    from tasker.task_signals as g
    left join tasker.workflow_steps as s
      on s.task_uuid = g.task_uuid
     and s.step_no = g.step_no
   where g.task_uuid >= p_from
     and g.task_uuid < p_to
     and g.step_no is not null
     and (s.task_uuid is null or s.await is not null)
     and not exists (select from tasker.erasures as x where x.task_uuid = g.task_uuid)
     and not exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = g.task_uuid
          and l.step_no = g.step_no
          and l.result_digest = tasker.result_digest(jsonb_build_object('by', 'signal') || tasker.sent_answer(g.name, g.payload, g.sent_at))
     )
  union all
  select s.task_uuid, s.step_no, null, 'task_signals', format('lacks the signal "%s" that ended a wait', s.results ->> 'name')
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.await is not null
     and s.state = 'complete'
     and s.results ->> 'by' = 'signal'
     and exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.from_state = 'suspended'
          and l.to_state = 'enqueued_for_orchestration'
     )
     and not exists (
       select
         from tasker.task_signals as g
        where g.task_uuid = s.task_uuid
          and g.step_no = s.step_no
     );
end;
$$;

comment on function tasker.signal_problems is
$$Finds signals that are missing or were changed: gaps in their numbers, signals without a task, and results of waits
that differ from the signals that ended the waits.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/receipt_problems.sql
create or replace function tasker.receipt_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- If an event ended a wait, the result of the wait is that event, and the step has taken the event once.
  select s.task_uuid, s.step_no, null::integer, 'broadcast_receipts', format('lacks the receipt of event "%s" that ended a wait', s.results ->> 'name')
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.await is not null
     and s.state = 'complete'
     and s.results ->> 'by' = 'event'
     and exists (select from tasker.broadcasts as b where b.event_uuid::text = s.results ->> 'event_uuid')
     and exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.from_state = 'suspended'
          and l.to_state = 'enqueued_for_orchestration'
     )
     and not exists (
       select
         from tasker.broadcast_receipts as r
        where r.event_uuid::text = s.results ->> 'event_uuid'
          and r.task_uuid = s.task_uuid
          and r.step_no = s.step_no
     )
  union all
  select r.task_uuid, r.step_no, null, 'broadcast_receipts', format('has event %s as taken by a step whose history does not have it', r.event_uuid)
    from tasker.broadcast_receipts as r
    join tasker.broadcasts as b
      on b.event_uuid = r.event_uuid
    join tasker.workflow_steps as s
      on s.task_uuid = r.task_uuid
     and s.step_no = r.step_no
   where r.task_uuid >= p_from
     and r.task_uuid < p_to
     and s.await is not null
     and not exists (select from tasker.erasures as x where x.task_uuid = r.task_uuid)
     and not exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = r.task_uuid
          and l.step_no = r.step_no
          and l.result_digest = tasker.result_digest(
            jsonb_build_object('by', 'event', 'key', b.key, 'event_uuid', b.event_uuid) || tasker.sent_answer(b.name, b.payload, b.sent_at)
          )
     )
  union all
  select r.task_uuid, r.step_no, null, 'broadcast_retries', format('has a step to try again for event %s, which is not being delivered', r.event_uuid)
    from tasker.broadcast_retries as r
    left join tasker.broadcasts as b
      on b.event_uuid = r.event_uuid
   where r.task_uuid >= p_from
     and r.task_uuid < p_to
     and (b.event_uuid is null or b.delivered_at is not null);
end;
$$;

comment on function tasker.receipt_problems is
$$Finds results of waits that differ from the events that ended the waits, and retries of events that are not being
delivered.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/event_problems.sql
create or replace function tasker.event_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- There is a row for each alternative that is an event, and no row for an event that no step waits for.
  select coalesce(s.task_uuid, w.task_uuid), coalesce(s.step_no, w.step_no), null::integer, 'waits',
         case when s.task_uuid is null
           then format('has event "%s" of a step that does not wait for it', w.event)
           else format('lacks event "%s" of a step that waits for it', s.event)
         end
    from (
      select s.task_uuid, s.step_no, a.no, a.value ->> 'event' as event, tasker.event_key(a.value ->> 'key', t.context) as event_key
        from tasker.workflow_steps as s
        join tasker.tasks as t
          on t.task_uuid = s.task_uuid
       cross join lateral jsonb_array_elements(
         tasker.step_wait(s.await, s.wait, s.claim_no) -> 'any'
       ) with ordinality as a (value, no)
       where s.state = 'suspended'
         and a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select w.task_uuid, w.step_no, w.wait_no, w.event, w.event_key
        from tasker.waits as w
       where w.event is not null
         and w.task_uuid >= p_from
         and w.task_uuid < p_to
    ) as w
      on w.task_uuid = s.task_uuid
     and w.step_no = s.step_no
     and w.wait_no = s.no
     and w.event = s.event
     and w.event_key = s.event_key
   where s.task_uuid is null
      or w.task_uuid is null
  union all
  -- Each event has been delivered, or a timer will deliver it. Events do not belong to a range.
  select null, null, null, 'broadcasts', case
      when b.event_uuid is null then format('has the note of event %s, which does not exist or has been delivered', m.task_uuid)
      else format('lacks the note of event %s, which has not come to all waits', b.event_uuid)
    end
    from (select b.event_uuid from tasker.broadcasts as b where b.delivered_at is null) as b
    full join (select m.task_uuid from tasker.timers as m where m.kind = 'deliver_event') as m
      on m.task_uuid = b.event_uuid
   where b.event_uuid is null
      or m.task_uuid is null;
end;
$$;

comment on function tasker.event_problems is
$$Finds waits for events that do not agree with their steps, and events that no timer will deliver.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/queue_problems.sql
create or replace function tasker.queue_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each step in the pipeline has a queue row with its claim, and no other step has a queue row.
  select coalesce(s.task_uuid, q.task_uuid), coalesce(s.step_no, q.step_no), null::integer, 'step_queue',
         case
           when s.task_uuid is null then 'has a row of a step that does not exist or is not in the pipeline'
           when q.task_uuid is null then format('lacks the row of a step that is %s', s.state)
           when num_nonnulls(q.limit_no, q.limit_key, q.limit_lane) in (1, 2) then 'has a row with a part of a limit'
           else format('has a step that is %s, claim %s, as %s, claim %s', s.state, s.claim_no, q.lane, q.claim_no)
         end
    from (
      select s.task_uuid, s.step_no, s.state, s.claim_no, s.priority, s.limit_no, s.limit_key, s.effects & 256 <> 0 as places,
             s.effects & 16384 <> 0 and s.state = 'enqueued' and tasker.task_is_held(s.task_uuid) as held
        from tasker.workflow_steps as s
        join tasker.step_states as d
          on d.state = s.state
       where d.in_processing_pipeline
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select q.task_uuid, q.step_no, q.lane, q.claim_no, q.limit_no, q.limit_key, q.limit_lane
        from tasker.step_queue as q
       where q.task_uuid >= p_from
         and q.task_uuid < p_to
    ) as q
      on q.task_uuid = s.task_uuid
     and q.step_no = s.step_no
   where s.task_uuid is null
      or q.task_uuid is null
      or q.claim_no <> s.claim_no
      or tasker.table_lane(q.lane) <> case
        when s.held then 'paused'
        -- The run of the step may have the places of the limit. Then the step does not wait for a place.
        when s.places and q.limit_no is null then tasker.step_lane(s.state, s.priority)
        when s.limit_no is not null and s.state = 'enqueued' then 'limited'
        else tasker.step_lane(s.state, s.priority)
      end
      or (q.limit_no, q.limit_key) is distinct from (s.limit_no, s.limit_key) and not s.places
      or num_nonnulls(q.limit_no, q.limit_key, q.limit_lane) in (1, 2)
  union all
  -- Each step that waits for a limit is in a line, or a note will put it into a line.
  select q.task_uuid, q.step_no, null, 'limit_lines', 'lacks the line of a step that waits for a limit'
    from tasker.step_queue as q
   where q.lane = 'limited'
     and q.task_uuid >= p_from
     and q.task_uuid < p_to
     and not exists (
       select
         from tasker.limit_lines as l
        where l.limit_no = q.limit_no
          and l.limit_key = q.limit_key
          and l.named_step_uuid = q.named_step_uuid
     )
     and not exists (
       select
         from tasker.limit_notes as n
        where n.limit_no = q.limit_no
          and n.key_hash = hashtext(q.limit_key)
          and n.limit_key = q.limit_key
          and n.named_step_uuid = q.named_step_uuid
     );
end;
$$;

comment on function tasker.queue_problems is
$$Finds queue rows that do not agree with their steps, and steps that wait for a limit without a line. Checks the tasks
between two UUIDs.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/timer_problems.sql
create or replace function tasker.timer_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each step that waits for a retry has a timer. No timer belongs to a task that has ended or does not exist.
  select s.task_uuid, s.step_no, null::integer, 'timers', 'lacks the timer of a step that waits for its retry'
    from tasker.workflow_steps as s
   where s.state = 'waiting_for_retry'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'retry_step'
     )
  union all
  select m.task_uuid, nullif(m.step_no, 0), null, 'timers', format('has the timer %s of no open task or step', m.kind)
    from tasker.timers as m
    left join tasker.tasks as t
      on t.task_uuid = m.task_uuid
    left join tasker.workflow_steps as s
      on s.task_uuid = m.task_uuid
     and s.step_no = m.step_no
   where m.task_uuid >= p_from
     and m.task_uuid < p_to
     and (m.kind <> 'fire_schedule' or not exists (select from tasker.schedules as d where d.schedule_uuid = m.task_uuid))
     and m.kind <> 'deliver_event'
     and (t.complete is not false and (t.task_uuid is null or m.kind not in ('child_ended', 'cancel_child', 'serve_run')) or (m.kind = 'retry_step' and s.state is distinct from 'waiting_for_retry')
          or (m.kind in ('end_wait', 'start_child', 'match_wait') and s.state is distinct from 'suspended'))
  union all
  -- If a step waits for a task, the step has a note, or the task is open, or a timer notes the end of the task.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the note of a step that waits for a task which does not run'
    from tasker.workflow_steps as s
    left join tasker.tasks as c
      on c.task_uuid = s.child_task_uuid
   where s.state = 'suspended'
     and s.await ? 'task'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and c.complete is not false
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'start_child'
          or m.task_uuid = c.task_uuid
          and m.kind = 'child_ended'
     )
  union all
  -- If a function waits for tasks, it has a timer, or one of the tasks is open, or a timer notes the end of a task.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the note of a function that waits for tasks which do not run'
    from tasker.workflow_steps as s
   where s.state = 'suspended'
     and s.await is null
     and s.wait ? 'tasks'
     and (s.wait ->> 'claim_no')::integer = s.claim_no
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (select from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind = 'start_child')
     and not exists (
       select
         from jsonb_array_elements_text(s.wait -> 'started') as u (task_uuid)
        where exists (select from tasker.tasks as c where c.task_uuid = u.task_uuid::uuid and not c.complete)
           or exists (select from tasker.timers as m where m.task_uuid = u.task_uuid::uuid and m.kind = 'child_ended')
     );
end;
$$;

comment on function tasker.timer_problems is
$$Finds steps that wait for a retry or for a child task without a timer, and timers without a step. Checks the tasks
between two UUIDs.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/wait_problems.sql
create or replace function tasker.wait_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each suspended step has its waits, and there are no other waits.
  select coalesce(s.task_uuid, w.task_uuid), coalesce(s.step_no, w.step_no), null::integer, 'waits',
         case when s.task_uuid is null
           then format('has signal "%s" of a step that does not wait for it', w.signal)
           else format('lacks signal "%s" of a step that waits for it', s.signal)
         end
    from (
      select distinct s.task_uuid, s.step_no, a.value ->> 'signal' as signal
        from tasker.workflow_steps as s
       cross join lateral jsonb_array_elements(tasker.step_wait(s.await, s.wait, s.claim_no) -> 'any') as a (value)
       where s.state = 'suspended'
         and a.value ? 'signal'
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select w.task_uuid, w.step_no, w.signal
        from tasker.waits as w
       where w.signal is not null
         and w.task_uuid >= p_from
         and w.task_uuid < p_to
    ) as w
      on w.task_uuid = s.task_uuid
     and w.step_no = s.step_no
     and w.signal = s.signal
   where s.task_uuid is null
      or w.task_uuid is null
  union all
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the timer of a step whose wait a time ends'
    from tasker.workflow_steps as s
   where s.state = 'suspended'
     and (
       tasker.step_wait(s.await, s.wait, s.claim_no) ? 'timeout'
       or jsonb_path_exists(
         tasker.step_wait(s.await, s.wait, s.claim_no), '$.any[*] ? (exists (@.for) || exists (@.until))'
       )
     )
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'end_wait'
     );
end;
$$;

comment on function tasker.wait_problems is
$$Finds waits that do not agree with the suspended steps, and waits that should end at a time but have no timer. Checks
the tasks between two UUIDs.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/work_problems.sql
create or replace function tasker.work_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select w.task_uuid, null::integer, null::integer, 'waiting_tasks', 'has a task that has ended or does not exist'
    from tasker.waiting_tasks as w
    left join tasker.tasks as t
      on t.task_uuid = w.task_uuid
   where w.task_uuid >= p_from
     and w.task_uuid < p_to
     and t.complete is not false
  union all
  -- An open task has a step in the queue, a timer, a waiting row for an orchestrator, a step that
  -- waits, or a failure for an operator.
  select t.task_uuid, null, null, 'tasks', format('is %s, and nothing is due that would move it', t.state)
    from tasker.tasks as t
   where not t.complete
     and t.failed_steps = 0
     and t.suspended_steps = 0
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and not exists (select from tasker.step_queue as q where q.task_uuid = t.task_uuid)
     and not exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.kind <> 'task_deadline')
     and not exists (select from tasker.waiting_tasks as w where w.task_uuid = t.task_uuid);
end;
$$;

comment on function tasker.work_problems is
$$Finds waiting rows of tasks that do not wait, and open tasks that will never move because they have no step, timer or
waiting row that moves them.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/missing_problems.sql
create or replace function tasker.missing_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The settled totals say how many transitions existed.
  select null::uuid, null::integer, null::integer, 'task_transition_log',
         format('lacks transitions of partition %s: %s tasks were started there, its log has %s', c.suffix, c.counted, c.logged)
    from (
      select
        r.suffix,
        coalesce((
          select sum(t.started)
            from tasker.task_totals as t
           where t.partition_suffix = r.suffix
             and t.settled
        ), 0) as counted,
        (
          select count(*)
            from tasker.task_transition_log as l
           where l.task_uuid >= r.from_uuid
             and l.task_uuid < r.to_uuid
             and l.event = 'Start'
        ) as logged
      from tasker.partition_ranges as r
      where r.from_uuid >= p_from
        and r.to_uuid <= p_to
    ) as c
   where c.counted > c.logged
  union all
  -- The identity of a task exists while the task exists. If a later range was dropped, the identity may have been
  -- deleted with a later task.
  select t.task_uuid, null, null, 'tasks', 'lacks its identity'
    from tasker.tasks as t
    join tasker.partition_ranges as r
      on t.task_uuid >= r.from_uuid
     and t.task_uuid < r.to_uuid
     and not exists (
       select
         from tasker.partition_ranges as n
        where n.from_uuid >= r.to_uuid
          and (n.evacuations > 0 or not exists (select from tasker.partition_ranges as b where b.to_uuid = n.from_uuid))
     )
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.identity_hash is not null
     and not exists (select from tasker.task_identities as i where i.identity_hash = t.identity_hash)
  union all
  -- Tasks are dropped with their partition, and their identities are deleted later.
  select i.task_uuid, null, null, 'task_identities', 'leads to a task that does not exist, in a partition that does'
    from tasker.task_identities as i
    join tasker.partition_ranges as r
      on i.task_uuid >= r.from_uuid
     and i.task_uuid < r.to_uuid
     -- An evacuation drops tasks that have ended. Their identities are deleted later.
     and r.evacuations = 0
   where i.task_uuid >= p_from
     and i.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid);
end;
$$;

comment on function tasker.missing_problems is
$$Finds tasks and logs that were deleted together, by the totals and identities that they left.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/kept_problems.sql
create or replace function tasker.kept_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select k.task_uuid, k.step_no, null::integer, 'kept_results',
         case
           when s.task_uuid is null then 'has results of a step that does not exist'
           when s.function_round is null then 'has results of a step that has kept none'
           else format('has %s results up to position %s', k.results, k.last)
         end
    from (
      select k.task_uuid, k.step_no, count(*) as results, max(k.kept_no) as last
        from tasker.kept_results as k
       where k.task_uuid >= p_from
         and k.task_uuid < p_to
       group by k.task_uuid, k.step_no
    ) as k
    left join tasker.workflow_steps as s
      on s.task_uuid = k.task_uuid
     and s.step_no = k.step_no
   where s.function_round is null
      or k.results <> k.last
  union all
  select k.task_uuid, k.step_no, null, 'kept_results',
         format('counts "%s" at position %s as %s, not as %s', k.name, k.kept_no, k.occurrence, k.place)
    from (
      select k.task_uuid, k.step_no, k.kept_no, k.name, k.occurrence,
             row_number() over (partition by k.task_uuid, k.step_no, k.name order by k.kept_no) as place
        from tasker.kept_results as k
       where k.task_uuid >= p_from
         and k.task_uuid < p_to
    ) as k
   where k.occurrence <> k.place;
end;
$$;

comment on function tasker.kept_problems is
$$Finds the kept results that do not agree with their steps or with one another, for the tasks from p_from up to p_to.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/stream_problems.sql
create or replace function tasker.stream_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select coalesce(h.task_uuid, i.task_uuid), coalesce(h.step_no, i.step_no), null::integer, 'step_streams',
         case
           when h.task_uuid is null then format('has items of stream "%s", which has no row', i.name)
           when s.task_uuid is null then format('has a stream "%s" of a step that does not exist', h.name)
           when h.value is not null then format('has items of the value "%s"', h.name)
           else format(
             'says that stream "%s" has the items %s to %s; there are %s, from %s to %s',
             h.name, h.first_no, h.last_no, coalesce(i.items, 0), i.first_no, i.last_no
           )
         end
    from (
      select h.* from tasker.step_streams as h where h.task_uuid >= p_from and h.task_uuid < p_to
    ) as h
    full join (
      select b.task_uuid, b.step_no, b.name, sum(jsonb_array_length(b.items)) as items, min(b.first_no) as first_no,
             max(b.last_no) as last_no, bool_or(b.first_no + jsonb_array_length(b.items) - 1 <> b.last_no) as uneven
        from tasker.stream_items as b
       where b.task_uuid >= p_from
         and b.task_uuid < p_to
       group by b.task_uuid, b.step_no, b.name
    ) as i
      on i.task_uuid = h.task_uuid
     and i.step_no = h.step_no
     and i.name = h.name
    left join tasker.workflow_steps as s
      on s.task_uuid = h.task_uuid
     and s.step_no = h.step_no
   where h.task_uuid is null
      or s.task_uuid is null
      or h.value is not null and i.items is not null
      or h.value is null and (
        h.last_no - h.first_no + 1 <> coalesce(i.items, 0)
        or i.uneven
        or i.first_no <> h.first_no
        or i.last_no <> h.last_no
      );
end;
$$;

comment on function tasker.stream_problems is
$$Finds the streams whose items have gaps or do not agree with the stream's row, for the tasks from p_from up to p_to.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_problems.sql
create or replace function tasker.attribute_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select a.task_uuid, nullif(a.step_no, 0), null::integer, 'task_attributes',
         case
           when t.task_uuid is null then format('has the attribute %s of a task that does not exist', a.attribute_no)
           when d.path is null then format('has the attribute "%s", which the template does not take from %s', n.name, coalesce('step ' || nullif(a.step_no, 0), 'the context'))
           when t.erased_at is not null then format('has the attribute "%s" of an erased task', n.name)
           else format('does not have the value of the context in the attribute "%s"', n.name)
         end
    from tasker.task_attributes as a
    left join tasker.attributes as n
      on n.attribute_no = a.attribute_no
    left join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    left join tasker.template_attributes as d
      on d.named_task_uuid = t.named_task_uuid
     and d.step_no = a.step_no
     and d.attribute_no = a.attribute_no
   cross join lateral tasker.attribute_of(
     n.type, case when a.step_no = 0 and d.path is not null then jsonb_path_query_first(t.context, d.path, '{}', true) end
   ) as v
   where a.task_uuid >= p_from
     and a.task_uuid < p_to
     and (
       t.task_uuid is null
       or d.path is null
       or t.erased_at is not null
       or a.step_no = 0 and (a.text_value, a.number_value, a.time_value) is distinct from (v.text_value, v.number_value, v.time_value)
     )
  union all
  select t.task_uuid, null, null, 'tasks', format('lacks the attribute "%s", whose value is in the context', n.name)
    from tasker.template_attributes as d
    join tasker.attributes as n
      on n.attribute_no = d.attribute_no
    join tasker.tasks as t
      on t.named_task_uuid = d.named_task_uuid
   where d.step_no = 0
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.erased_at is null
     and jsonb_path_query_first(t.context, d.path, '{}', true) is not null
     and not exists (
       select from tasker.task_attributes as a where a.task_uuid = t.task_uuid and a.attribute_no = d.attribute_no
     );
end;
$$;

comment on function tasker.attribute_problems is
$$Finds the attributes that do not agree with the template or the context, for the tasks from p_from up to p_to.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/check_kept.sql
create or replace function tasker.check_kept(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_position   integer,
  p_name       text,
  p_bytes      bigint,
  p_settings   tasker.settings_now
)
  returns bigint
  language plpgsql
  stable
as $$
declare
  v_last  integer;
  v_bytes bigint;
begin
  select k.kept_no, k.bytes
    into v_last, v_bytes
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
   order by k.kept_no desc
   limit 1;
  v_bytes := coalesce(v_bytes, 0) + p_bytes;
  if tasker.kept_fits(p_position, v_last, v_bytes, p_settings.kept_results, p_settings.kept_bytes) then
    return v_bytes;
  elsif p_position <> coalesce(v_last, 0) + 1 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'position %s is not the next one of step %s', p_position, tasker.step_uuid(p_task_uuid, p_step_no)
      ),
      detail  = format('The function has kept %s results.', coalesce(v_last, 0)),
      hint    = 'Count the calls of the function from 1, beginning with those whose results are kept.';
  end if;
  raise exception using
    errcode = 'TK413',
    message = case
      when p_position > p_settings.kept_results then format(
        'step %s has kept %s results, and may keep no more', tasker.step_uuid(p_task_uuid, p_step_no), p_position - 1
      )
      else format(
        'with "%s" step %s would have kept %s bytes', p_name, tasker.step_uuid(p_task_uuid, p_step_no), v_bytes
      )
    end,
    detail  = format('The limits are %s results and %s bytes.', p_settings.kept_results, p_settings.kept_bytes),
    hint    = 'Let the function go on with a new state (tasker.continue_step, in Go worker.ContinueAs), which forgets what it has kept, or raise the settings "kept_results" and "kept_bytes".';
end;
$$;

comment on function tasker.check_kept is
$$Returns the total size of a function's kept results, in bytes, including a new result of p_bytes at p_position. Raises TK422 if the position is not the next position, TK413 if the kept results would exceed the settings "kept_results" or "kept_bytes". The caller holds the step's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/relations_of.sql
create or replace function tasker.relations_of(p_table text)
  returns oid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select c.oid
      from (
        select tasker.administered_table(p_table)::regclass::oid as oid
        union all
        select i.inhrelid
          from pg_inherits as i
         where i.inhparent = tasker.administered_table(p_table)::regclass
      ) as p
      join pg_class as c
        on c.oid = p.oid
     where c.relkind in ('r', 'p')
  );
end;
$$;

comment on function tasker.relations_of is
$$Returns a table and its partitions. The table is in schema tasker unless its name has another schema.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/trigger_problems.sql
create or replace function tasker.trigger_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  with triggers (table_name, name, function, enabled) as (
    values
      ('named_tasks',                  'named_tasks_refuse_delete',                 'refuse_registry_delete', 'A'),
      ('named_steps',                  'named_steps_refuse_delete',                 'refuse_registry_delete', 'A'),
      ('named_task_edges',             'named_task_edges_check_insert',             'refuse_graph_change',    'O'),
      ('named_task_edges',             'named_task_edges_check_update',             'refuse_graph_change',    'A'),
      ('named_task_edges',             'named_task_edges_check_delete',             'refuse_graph_change',    'A'),
      ('named_task_edges',             'named_task_edges_no_truncate',              'refuse_registry_delete', 'A'),
      ('tasks',                        'tasks_refuse_delete',                       'refuse_run_change',      'A'),
      ('tasks',                        'tasks_refuse_key_update',                   'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_refuse_delete',              'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_refuse_key_update',          'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_check_insert',               'check_step_tasks',       'O'),
      ('task_identities',              'task_identities_refuse_delete',             'refuse_identity_delete', 'A'),
      ('kept_results',                 'kept_results_refuse_change',                'refuse_kept_change',     'A'),
      ('step_streams',                 'step_streams_refuse_delete',                'refuse_stream_change',   'A'),
      ('stream_items',                 'stream_items_refuse_change',                'refuse_stream_change',   'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_delete',                   'refuse_run_change',      'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_key_update',               'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_delete',                'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_key_update',            'refuse_run_change',      'A'),
      ('erasures',                     'erasures_refuse_change',                    'refuse_log_change',      'A'),
      ('erasures',                     'erasures_no_truncate',                      'refuse_log_change',      'A'),
      ('broadcasts',                   'broadcasts_refuse_key_update',              'refuse_run_change',      'A'),
      ('settings',                     'settings_refuse_key_update',                'refuse_run_change',      'A'),
      ('added_step_edges',             'added_step_edges_check_insert',             'check_step_edges',       'O'),
      ('added_step_edges',             'added_step_edges_check_update',             'check_step_edges',       'O'),
      ('task_log',                     'task_log_append_only',                      'refuse_log_change',      'A'),
      ('task_log',                     'task_log_no_truncate',                      'refuse_log_change',      'A'),
      ('step_log',                     'step_log_append_only',                      'refuse_log_change',      'A'),
      ('step_log',                     'step_log_no_truncate',                      'refuse_log_change',      'A'),
      ('task_log_paths',               'task_log_paths_append_only',                'refuse_log_change',      'A'),
      ('task_log_paths',               'task_log_paths_no_truncate',                'refuse_log_change',      'A'),
      ('step_log_paths',               'step_log_paths_append_only',                'refuse_log_change',      'A'),
      ('step_log_paths',               'step_log_paths_no_truncate',                'refuse_log_change',      'A'),
      ('administration_log',           'administration_log_append_only',            'refuse_log_change',      'A'),
      ('administration_log',           'administration_log_no_truncate',            'refuse_log_change',      'A')
    union all
    select a.name, regexp_replace(a.name, '^.*\.', '') || e.event, 'log_administration', 'A'
      from tasker.administered_tables as a
     cross join (values ('_log_change'), ('_log_truncate')) as e (event)
  )
  -- Each table has its triggers, with their functions, enabled.
  select null::uuid, null::integer, null::integer, c.relname::text, format('lacks the enabled trigger %s', g.name)
    from triggers as g
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = c.oid
        and t.tgname = g.name
        and t.tgfoid = format('tasker.%I', g.function)::regproc
        and t.tgenabled::text in (g.enabled, 'A')
   );
end;
$$;

comment on function tasker.trigger_problems is
$$Finds guarded tables and partitions that lack a trigger, or whose trigger is disabled or has another function.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/constraint_problems.sql
create or replace function tasker.constraint_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  with domains (table_name, column_name, type_name) as (
    values
      ('task_log', 'path', 'task_path'),
      ('step_log', 'path', 'step_path'),
      ('step_log', 'execution_time_ms', 'log_duration')
  )
  -- The row constraints of the table exist and are validated.
  select null::uuid, null::integer, null::integer, c.relname::text, format('lacks the constraint %s', g.table_name || '_row_check')
    from (
      values
        ('tasks', 'check_task_row(task_uuid, state, complete, total_steps, open_steps, active_steps, retrying_steps, '
           || 'suspended_steps, failed_steps, completed_at, headers, context)'),
        ('workflow_steps', 'check_step_row(state, join_mode, total_parents, pending_parents, satisfied_parents, claim_no, '
           || 'attempts, lost_count, backoff_request_seconds, next_retry_at, lease_until, processed_at)')
    ) as g (table_name, call)
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_constraint as k
      where k.conrelid = c.oid
        and k.conname = g.table_name || '_row_check'
        -- It depends on the session's settings whether names are quoted.
        and replace(replace(pg_get_constraintdef(k.oid), '"', ''), 'tasker.', '') = format('CHECK (%s)', g.call)
        and k.convalidated
   )
  union all
  -- The columns of the table have their domains, and the domains have their checks, so that the number of a
  -- path has a meaning.
  select null, null, null, c.relname::text, format('lacks the check of the column %s by the domain %s', g.column_name, g.type_name)
    from domains as g
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_attribute as a
       join pg_constraint as k
         on k.contypid = a.atttypid
      where a.attrelid = c.oid
        and a.attname = g.column_name
        and a.atttypid = format('tasker.%I', g.type_name)::regtype
        and k.conname = g.type_name || '_check'
   )
  union all
  select null, null, null, c.relname::text, format('has the rule %s, which is not part of pgtasker', r.rulename)
    from pg_rewrite as r
    join pg_class as c
      on c.oid = r.ev_class
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind in ('r', 'p');
end;
$$;

comment on function tasker.constraint_problems is
$$Finds guarded tables and partitions that lack a row constraint or the domain of a column, domains that lack their
check, and any rewrite rule, because pgtasker has no rules.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/registry_problems.sql
create or replace function tasker.registry_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Templates are unchanged since their registration.
  select null::uuid, null::integer, null::integer, 'named_tasks', format('template "%s" version "%s" was changed after its registration', k.name, k.version)
    from tasker.named_tasks as k
   where k.configuration <> '{}'
     and (
       k.content_hash <> sha256(convert_to(k.configuration::text, 'UTF8'))
       or k.identity_strategy <> k.configuration ->> 'identity_strategy'
       or k.on_failure <> k.configuration ->> 'on_failure'
       or k.total_steps <> jsonb_array_length(k.configuration -> 'steps')
       or k.total_steps <> (select count(*) from tasker.named_tasks_named_steps as s where s.named_task_uuid = k.named_task_uuid)
       or k.root_steps <> (
         select count(*)
           from tasker.named_tasks_named_steps as s
          where s.named_task_uuid = k.named_task_uuid
            and s.total_parents = 0
            and s.for_each is null
       )
     );

  return query
  -- Creations read these values instead of the tables.
  select null::uuid, null::integer, null::integer, 'creation_plans', format('template "%s" version "%s" is created by a plan that is not its own', k.name, k.version)
    from tasker.named_tasks as k
    left join tasker.creation_plans as p
      on p.named_task_uuid = k.named_task_uuid
   where p is distinct from (select c from tasker.current_plan(k.named_task_uuid) as c);
end;
$$;

comment on function tasker.registry_problems is
$$Finds templates that were changed after their registration, and plans of creations that differ from their template, its steps or its namespace.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/administration_problems.sql
create or replace function tasker.administration_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_kind tasker.administered_tables;
begin
  for v_kind in
    select a.* from tasker.administered_tables as a order by a.name
  loop
    return query execute format(
      $q$
      with entries as (
        select distinct on (l.object) l.object, l.was, l.becomes
          from tasker.administration_log as l
         where l.kind = $1.name
         order by l.object, l.entry_no desc
      ),
      logged as (
        select tasker.object_key($1, r.row) as object, r.row
          from entries as e
         -- Since then, a role may have got another name, or another oid by a restore.
         cross join lateral (
           select (e.becomes - 'role_oid') || case
             when e.becomes ? 'role_oid' and to_regrole(e.becomes ->> 'role') is null
               then jsonb_build_object('role', (e.becomes ->> 'role_oid')::oid::regrole::text)
             else '{}'
           end as row
         ) as r
         where e.becomes is not null
      ),
      present as (
        select tasker.object_key($1, to_jsonb(t)) as object, tasker.administered_row($1, to_jsonb(t)) - 'role_oid' as row
          from %1$s as t
      )
      select
        null::uuid, null::integer, null::integer, $1.name,
        format(
          case
            when p.row is null then 'lacks "%%s", which the log of administration has'
            when l.row is null then 'has "%%s", which the log of administration does not have'
            else 'has "%%s" in another form than the log of administration'
          end,
          left(object, 200)
        )
      from logged as l
      full join present as p
        using (object)
      where l.row is distinct from p.row
        -- Rows that a migration inserted have no entry if they have not changed since.
        and not ($1.seeded and not exists (select from entries as e where e.object = p.object))
      order by object
      $q$,
      tasker.administered_table(v_kind.name)
    ) using v_kind;
  end loop;
end;
$$;

comment on function tasker.administration_problems is
$$Finds settings, bindings, tokens, templates, limits, schedules, subscriptions, namespaces and partitions, and names, settings and schedules of tasklib, that differ from their newest entry in tasker.administration_log.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/guard_problems.sql
create or replace function tasker.guard_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select null::uuid, null::integer, null::integer, m.name, 'is not the state machine of this version'
    from (
      select 'step_state_machine' as name, md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state)) as content
        from tasker.step_state_machine as s
      union all
      select 'task_state_machine', md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state))
        from tasker.task_state_machine as s
    ) as m
   where m.content <> case m.name when 'step_state_machine' then '808abf9964d5f3764d92df0fd6af7639' else 'e6c61a4a42030f8c5db98575bcdc0f1f' end;
end;
$$;

comment on function tasker.guard_problems is
$$Finds state machines that are not as in this version of pgtasker.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/object_problems.sql
create or replace function tasker.object_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    null::uuid, null::integer, null::integer, object,
    case
      when d.definition is null then 'does not exist, which a migration made'
      when o.definition is null then 'exists, which no migration made'
      when o.definition <> d.definition then 'differs from what the migrations made'
      else format('has other privileges than the migrations gave: %s, not %s', coalesce(nullif(d.grants, ''), 'none'), coalesce(nullif(o.grants, ''), 'none'))
    end
    from tasker.schema_objects as o
    full join tasker.object_digests() as d
   using (object)
   where (o.definition, o.grants) is distinct from (d.definition, d.grants)
   order by object;
end;
$$;

comment on function tasker.object_problems is
$$Finds functions, views, tables and schemas that are not as the migrations left them: their bodies, queries, columns, constraints, triggers, options, owners and privileges.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/check_integrity.sql
create or replace function tasker.check_integrity(
  p_since  timestamptz  default null,
  p_until  timestamptz  default null,
  p_limit  integer      default null
)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_from uuid := '00000000-0000-0000-0000-000000000000';
  v_to   uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  perform tasker.check_unbound();
  perform tasker.check_page_size(p_limit);
  if isfinite(p_since) then
    v_from := tasker.uuid_v7_floor(p_since);
  end if;
  if isfinite(p_until) then
    v_to := tasker.uuid_v7_floor(p_until);
  end if;

  return query
  select p.*
    from (
      select t.* from tasker.trigger_problems() as t
      union all
      select c.* from tasker.constraint_problems() as c
      union all
      select g.* from tasker.guard_problems() as g
      union all
      select b.* from tasker.object_problems() as b
      union all
      select y.* from tasker.registry_problems() as y
      union all
      select d.* from tasker.administration_problems() as d
      union all
      select h.* from tasker.history_problems(v_from, v_to) as h
      union all
      select c.* from tasker.counter_problems(v_from, v_to) as c
      union all
      select r.* from tasker.row_problems(v_from, v_to) as r
      union all
      select s.* from tasker.logged_step_problems(v_from, v_to) as s
      union all
      select q.* from tasker.queue_problems(v_from, v_to) as q
      union all
      select t.* from tasker.timer_problems(v_from, v_to) as t
      union all
      select a.* from tasker.wait_problems(v_from, v_to) as a
      union all
      select l.* from tasker.line_problems(v_from, v_to) as l
      union all
      select w.* from tasker.work_problems(v_from, v_to) as w
      union all
      select i.* from tasker.signal_problems(v_from, v_to) as i
      union all
      select e.* from tasker.event_problems(v_from, v_to) as e
      union all
      select p.* from tasker.receipt_problems(v_from, v_to) as p
      union all
      select m.* from tasker.missing_problems(v_from, v_to) as m
      union all
      select k.* from tasker.kept_problems(v_from, v_to) as k
      union all
      select l.* from tasker.stream_problems(v_from, v_to) as l
      union all
      select b.* from tasker.attribute_problems(v_from, v_to) as b
      union all
      select x.* from tasker.erasure_problems(v_from, v_to) as x
    ) as p
   order by p.task_uuid nulls first, p.step_no nulls first, p.sort_key
   limit coalesce(p_limit, 1000);
end;
$$;

comment on function tasker.check_integrity is
$$Finds changes that bypassed the engine, for the tasks created from p_since until before p_until (null: all). Returns
up to p_limit problems (default 1,000), and no row if there is no problem.

Checks that functions, views, tables and privileges are as the migrations left them. Checks that the guards of logs,
tasks and templates exist and are enabled, also on partitions. Checks that each log is a path without gaps from the
first state to the current state. Checks that counters, parents, claim numbers, attempts, errors, logins of claims,
queue rows, timers, waiting rows, signals, streams, attributes, events and identities agree with steps and tasks, and
that no row refers to a missing row. Checks that settings, bindings, tokens, access maps, sessions, templates, limits,
schedules, subscriptions, namespaces and partitions match their newest entry in the log of administration. A result must
have the digest that was logged with it, and an erased task must have the digest that its erasure left. If a task and
its log were both deleted, the totals and the identities reveal it. The check cannot find a change by a superuser or by
tasker_owner that changed all of these rows consistently, such as a log that was rewritten while its triggers were off.

Reads the partitions of the period. Raises TK422 for a limit out of range, and TK403 if the caller is bound to
namespaces.$$;

grant execute on function tasker.check_integrity
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/data/incident_settings.sql
-- down: delete from tasker.settings as s where s.name in ('incident_seconds', 'tenant', 'disk_gigabytes', 'runbook');
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
values
  ('incident_seconds', 'integer', '15', '15', 1, 3600, 'How often maintenance judges incidents.'),
  ('tenant', 'tenant', 'none', 'none', null, null, 'Which part of a task names its tenant: none, tag: with the beginning of a tag, or context: with a path such as customer.id.'),
  ('disk_gigabytes', 'integer', '0', '0', 0, 1000000000, 'How much the database may grow to on its disk, in gigabytes: a database cannot see how much of its disk is free. 0 is not known, and then no incident warns of a full disk.'),
  ('runbook', 'link', 'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', 'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', null, null, 'The page with instructions for an incident. {kind} becomes the kind of the incident, such as failing.');
-- <<<

-- >>> db/schema/data/mass_settings.sql
-- down: delete from tasker.settings as s where s.name in ('mass_action_seconds');
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
values
  ('mass_action_seconds', 'integer', '2', '2', 1, 3600, 'How often maintenance acts on the next entries of mass actions.');
-- <<<

-- >>> db/schema/tables/operate/maintain/maintenance_duties.sql
create table tasker.maintenance_duties (
  duty              text         not null,
  position          smallint     not null,
  interval_setting  text         not null,
  description       text         not null,
  worker_duty       boolean      not null  default false,
  runs              bigint       not null  default 0,
  failures          bigint       not null  default 0,
  more_due          boolean      not null  default false,
  last_started_at   timestamptz,
  last_finished_at  timestamptz,
  last_done         bigint,
  last_detail       text,
  last_error        text,

  constraint maintenance_duties_pkey
    primary key (duty),
  constraint maintenance_duties_position_key
    unique (position),
  constraint maintenance_duties_interval_setting_fkey
    foreign key (interval_setting) references tasker.settings (name)
);

create index maintenance_duties_interval_setting_idx
  on tasker.maintenance_duties (interval_setting);

comment on index tasker.maintenance_duties_interval_setting_idx is
  'Serves the foreign key to settings.';

comment on table tasker.maintenance_duties is
  'The maintenance duties, with the interval and the last outcome of each.';
comment on column tasker.maintenance_duties.worker_duty is
  'Whether workers also do the duty (tasker.do_duties). Such a duty deletes nothing and moves no task.';
comment on column tasker.maintenance_duties.last_done is
  'The amount of work that the duty did: partitions created, tasks moved, and so on. Null if the duty failed or had nothing to count.';
comment on column tasker.maintenance_duties.last_detail is
  'Details of the last run, such as the ranges that were not dropped and why, or the table that was analyzed.';
comment on column tasker.maintenance_duties.more_due is
  'Whether more work remained than one transaction should do. If so, the duty is due again at once, after all other duties.';
comment on column tasker.maintenance_duties.last_error is
  'The error of the last run. Null if the duty succeeded.';
-- <<<

-- >>> db/schema/data/maintenance_duties.sql
-- down: delete from tasker.maintenance_duties;

insert into tasker.maintenance_duties (duty, position, interval_setting, worker_duty, description)
values
  ('partitions', 1, 'partition_seconds', true, 'Creates partitions ahead.'),
  ('rollups', 2, 'rollup_seconds', true, 'Updates totals and rollups of finished work, and the order of waiting tasks.'),
  ('staleness', 3, 'staleness_seconds', false, 'Moves stale tasks to the dead-letter queue.'),
  ('analytics', 4, 'analytics_seconds', false, 'Refreshes the materialised views, merges and deletes old rollups.'),
  ('retention', 5, 'retention_seconds', false, 'Drops partitions past their retention, one range at a time.'),
  ('identities', 6, 'garbage_seconds', false, 'Deletes identities that have expired or whose task was dropped, and events past their retention.'),
  ('archives', 7, 'garbage_seconds', false, 'Deletes archived messages of the engine''s queues past their retention.'),
  ('statistics', 8, 'statistics_seconds', true, 'Collects the planner''s statistics of partitioned tables, each once a day.'),
  ('schedules', 9, 'schedule_seconds', true, 'Moves next runs of schedules back that lie too far ahead after a change of the clock or a time zone.'),
  ('incidents', 10, 'incident_seconds', true, 'Reads new failures, and judges what is wrong.'),
  ('mass_actions', 11, 'mass_action_seconds', false, 'Acts on the next entries of mass actions, and reads the outcomes of those before.');
-- <<<

-- >>> db/schema/functions/operate/dead_letters/private/move_stale_tasks.sql
create or replace function tasker.move_stale_tasks(p_last_finished_at timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- If the last check is long ago, probably no worker ran either. Let workers and orchestrators catch up first.
  if p_last_finished_at is null
     or p_last_finished_at < tasker.clock()
        - 2 * make_interval(secs => tasker.setting_integer('staleness_seconds')) - interval '1 minute'
     or not tasker.setting_boolean('stale_tasks_to_dlq') then
    return null;
  end if;
  return (select count(*) from tasker.detect_and_transition_stale_tasks(false));
end;
$$;

comment on function tasker.move_stale_tasks is
$$Moves stale tasks to the dead-letter queue. Maintenance calls this function. Does nothing if the setting is off, or if
the preceding run was long ago. Returns how many tasks it moved, or null if it did not check.$$;
-- <<<

-- >>> db/schema/rows/operate/maintain/maintenance_outcomes.sql
create or replace view tasker.maintenance_outcomes as
select
  null::bigint as done,
  false::boolean as more_due,
  null::text as detail
where false;

comment on view tasker.maintenance_outcomes is
  'Row type: the outcome of a maintenance duty, as tasker.maintenance_duties keeps it.';
-- <<<

-- >>> db/schema/functions/operate/maintain/private/do_maintenance_duty.sql
create or replace function tasker.do_maintenance_duty(p_duty text, p_last_finished_at timestamptz)
  returns setof tasker.maintenance_outcomes
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_outcome tasker.maintenance_outcomes;
begin
  v_outcome.more_due := false;
  case p_duty
    when 'partitions' then
      v_outcome.done := tasker.make_partitions(current_setting('search_path'));
      v_outcome.more_due := v_outcome.done > 0;
    when 'rollups' then
      perform tasker.roll_up();
      perform tasker.note_queues();
      v_outcome.done := tasker.rank_waiting_tasks();
    when 'staleness' then
      v_outcome.done := tasker.move_stale_tasks(p_last_finished_at);
    when 'schedules' then
      v_outcome.done := tasker.check_schedules(100);
      v_outcome.more_due := v_outcome.done = 100;
    when 'incidents' then
      v_outcome.more_due := tasker.note_failures(5000) = 5000;
      -- A backlog of failures takes several calls. These calls must not count as consecutive measurements.
      if not v_outcome.more_due
         or (select w.judged_at from tasker.incident_watch as w) <= tasker.clock() - make_interval(secs => tasker.setting_integer('incident_seconds')) then
        v_outcome.done := tasker.judge_incidents();
      end if;
    when 'mass_actions' then
      v_outcome.done := tasker.run_mass_actions(100);
      v_outcome.more_due := v_outcome.done > 0;
    when 'analytics' then
      perform tasker.refresh_hours();
    when 'retention' then
      select
        count(*) filter (where o.outcome in ('dropped', 'moving', 'moved')),
        string_agg(format('%s from %s: %s', o.outcome, o.starts_at, o.detail), '; ' order by o.starts_at)
        into v_outcome.done, v_outcome.detail
        from tasker.apply_retention() as o;
      -- A drop locks the run tables until the transaction ends, so one call drops one range.
      v_outcome.more_due := v_outcome.done > 0;
    when 'identities' then
      v_outcome.done := tasker.gc_identities();
      perform tasker.forget_creation_policies(5000);
      perform tasker.forget_limit_keys(5000);
      perform tasker.forget_selections(100);
      perform tasker.recover_runs(5000);
      v_outcome.more_due := v_outcome.done > 0 or tasker.forget_events(5000) >= 5000;
    when 'archives' then
      v_outcome.done := tasker.gc_queue_archives();
      v_outcome.more_due := v_outcome.done > 0;
    when 'statistics' then
      v_outcome.detail := tasker.analyze_parents();
      v_outcome.done := (v_outcome.detail is not null)::integer;
      -- If the detail is the same again, several calls run in one transaction, and the first call is not counted yet.
      v_outcome.more_due := v_outcome.detail is not null and not exists (
        select from tasker.maintenance_duties as d where d.duty = p_duty and d.last_detail = v_outcome.detail
      );
  end case;
  return next v_outcome;
end;
$$;

comment on function tasker.do_maintenance_duty is
$$Does as much of a maintenance duty as one transaction should, and returns one row. The row says how much work was
done, or null if the duty has no work to count.$$;
-- <<<

-- >>> db/schema/functions/operate/maintain/private/maintain.sql
create or replace function tasker.maintain(p_duty text, p_search_path text, p_worker_duties boolean default false)
  returns setof tasker.maintenance_duties
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_duty    tasker.maintenance_duties;
  v_outcome tasker.maintenance_outcomes;
  v_error   text;
begin
  if p_duty is not null and not exists (select from tasker.maintenance_duties as d where d.duty = p_duty) then
    raise exception using
      errcode = 'TK404',
      message = format('maintenance has no duty "%s"', left(p_duty, 100)),
      hint    = format('The duties are %s.', (select string_agg(d.duty, ', ' order by d.position) from tasker.maintenance_duties as d));
  end if;
  -- One instance does the duty, and all other instances skip it. If the instance dies, its lock is released.
  if not tasker.try_turn('maintenance') then
    return;
  end if;

  -- Take the duty that ran longest ago, so that a duty with more work alternates with the other duties.
  select d.*
    into v_duty
    from tasker.maintenance_duties as d
   where d.duty = coalesce(p_duty, d.duty)
     and (d.worker_duty or not p_worker_duties)
     -- Without a mass action, this duty only deletes old selections, once an hour.
     and (
       d.duty <> 'mass_actions' or p_duty is not null or tasker.has_mass_actions()
       or coalesce(d.last_finished_at, '-infinity') < tasker.clock() - interval '1 hour'
     )
     and (
       p_duty is not null
       or d.more_due
       or d.last_finished_at is null
       or d.last_finished_at + make_interval(secs => tasker.setting_integer(d.interval_setting)) <= tasker.clock()
     )
   order by coalesce(d.last_finished_at, '-infinity'), d.position
   limit 1;
  if not found then
    if p_worker_duties then
      perform tasker.fire_due_timers(100);
    end if;
    return;
  end if;

  begin
    select o.* into strict v_outcome from tasker.do_maintenance_duty(v_duty.duty, v_duty.last_finished_at) as o;
  exception when others then
    -- The failed duty is rolled back. The other duties must still run.
    v_error := format('%s: %s', sqlstate, sqlerrm);
  end;

  update tasker.maintenance_duties as d
     set runs             = d.runs + 1,
         failures         = d.failures + (v_error is not null)::integer,
         more_due         = coalesce(v_outcome.more_due, false),
         last_started_at  = tasker.clock(),
         last_finished_at = greatest(tasker.clock(), tasker.clock() + (clock_timestamp() - statement_timestamp())),
         last_done        = v_outcome.done,
         last_detail      = v_outcome.detail,
         last_error       = v_error
   where d.duty = v_duty.duty
  returning d.* into v_duty;

  -- Restore the search_path, which pg_partman has set for the session. No name may be resolved after this.
  if v_duty.duty = 'partitions' and v_duty.last_done > 0
     and (select b.backend = 'pg_partman' from tasker.partition_backend() as b) then
    perform set_config('search_path', p_search_path, false);
  end if;
  return next v_duty;
end;
$$;

comment on function tasker.maintain is
$$Does a maintenance duty as tasker.run_maintenance describes. With p_worker_duties, does only a duty that workers may do. Sets the session's search_path to p_search_path if pg_partman has changed it. If no duty is due, a worker's call fires timers, including timers of namespaces from which no worker claims.

Locks the row "maintenance" of tasker.turns.$$;
-- <<<

-- >>> db/schema/functions/operate/maintain/run_maintenance.sql
-- The function uses "begin atomic" and does not pin search_path, because it must see the caller's search_path.
-- pg_partman sets the search_path for the whole session.
create or replace function tasker.run_maintenance(p_duty text default null)
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select m.* from tasker.maintain(p_duty, current_setting('search_path')) as m;
end;

comment on function tasker.run_maintenance is
$$Does the maintenance duty that has been due longest, and returns the row of this duty. With p_duty, does the named
duty even if it is not due. Returns no row if no duty is due or if another session is doing maintenance.
tasker.maintenance_duties lists the duties. An orchestrator calls this function in its loop, each call in its own
transaction, until it returns no row. A job of pg_cron does the same (tasker.setup_cron).

A call does as much work as one transaction should: for example, it drops one range, analyzes one table, or deletes a
few thousand rows. If there is more work, the column more_due is true, and the duty is due again at once. A duty that
fails is rolled back. The failure is recorded in its row, and the duty is tried again when it is next due. Locks the row
"maintenance" of tasker.turns. The comment of each duty's function has the locks of the duty. Raises TK404 if there is
no such duty.$$;

grant execute on function tasker.run_maintenance to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/maintain/do_duties.sql
-- Like tasker.run_maintenance, the function uses "begin atomic" and does not pin search_path, because pg_partman sets
-- the search_path for the whole session.
create or replace function tasker.do_duties()
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select m.* from tasker.maintain(null, current_setting('search_path'), true) as m;
end;

comment on function tasker.do_duties is
$$Does the maintenance duty that has been due longest, among the duties that every worker may do (partitions ahead,
rollups, statistics, schedules), and returns the row of this duty. If no such duty is due, fires due timers and returns
no row. With this function, workers and "tasker serve" keep a database working without an orchestrator. Duties that
delete or give up work (staleness, analytics, retention, …) need tasker.run_maintenance.

Any number of workers may call this function periodically, each call in its own transaction, until it returns no row.
Only one worker at a time does a duty. All other callers get no row. Locks the row "maintenance" of tasker.turns. The
comment of each duty's function has the locks of the duty.$$;

grant execute on function tasker.do_duties to tasker_worker, tasker_orchestrator, tasker_operator, tasker_server;
-- <<<

-- >>> db/schema/functions/operate/maintain/list_maintenance_duties.sql
create or replace function tasker.list_maintenance_duties()
  returns setof tasker.maintenance_duties
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select d.*
    from tasker.maintenance_duties as d
   order by d.position;
end;
$$;

comment on function tasker.list_maintenance_duties is
$$Returns the maintenance duties. Each row has the interval of the duty, how often it ran and failed, and when and how
it last ended.$$;

grant execute on function tasker.list_maintenance_duties
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001410', 'data/incident_settings e5029fbd21700915
data/maintenance_duties fbd1b823457f27b0
data/mass_settings 66733ffd30202dd6
data/operation_settings 007c556485c368a4
data/rollup_state 682cdaeed7265a25
functions/features/attributes/private/attribute_problems cbd320579aa42321
functions/features/durable/private/check_kept 05e8fb60f3cb65ca
functions/features/durable/private/kept_problems e97b0234aeea761c
functions/features/streams/private/stream_problems 6ad81f411706c8f8
functions/kernel/lock/private/oldest_transaction df090998f24a49ae
functions/operate/analytics/get_analytics_metrics a3a7ab750db78997
functions/operate/analytics/get_handler_failures 9c3e407509912b6b
functions/operate/analytics/get_queue_health 5275e2a429370c37
functions/operate/analytics/get_queue_history 3d1944a62e32848b
functions/operate/analytics/get_slowest_steps 9e1e55e3d4776831
functions/operate/analytics/get_slowest_tasks 5a016b9c82d1cf32
functions/operate/analytics/get_system_health_counts f18da94dcd4c9e66
functions/operate/analytics/get_throughput c40c278bd7d4a77a
functions/operate/analytics/get_work_totals ef103a1cfb9d5563
functions/operate/analytics/private/bound_health_counts 51066834f8804b9d
functions/operate/analytics/private/check_periods 9e78b180736d9940
functions/operate/analytics/private/count_bound_steps e16951ab29aaf9d0
functions/operate/analytics/private/count_bound_tasks f719c36a7397efde
functions/operate/analytics/private/count_ended_steps fea150976a908d7c
functions/operate/analytics/private/count_ended_tasks 7dde4b55ffaf85bf
functions/operate/analytics/private/count_ended_work b9deabce432a7d9d
functions/operate/analytics/private/count_failing_timers 754b5b4c728a168a
functions/operate/analytics/private/count_open_tasks 5549f85533a54af2
functions/operate/analytics/private/count_open_work 2913b346e699e863
functions/operate/analytics/private/count_results 3bf309e9e3d171c2
functions/operate/analytics/private/count_steps_since 394e9a029c622e87
functions/operate/analytics/private/count_tasks_since 4ec6882917ccc1ff
functions/operate/analytics/private/describe_server 8e5f1594eb2bdb91
functions/operate/analytics/private/duration_bin 8748e2d3eb7b542e
functions/operate/analytics/private/duration_histogram 13c54577cc05070a
functions/operate/analytics/private/duration_of_bin ba42d56598b7ea33
functions/operate/analytics/private/ended_steps_between a6b77124d39c55e0
functions/operate/analytics/private/ended_tasks_between 99f4037086622535
functions/operate/analytics/private/fresh_since b39d48180f80990a
functions/operate/analytics/private/fresh_work 8e697941f1b55c41
functions/operate/analytics/private/health_score b150ca2c696e33ba
functions/operate/analytics/private/is_served 41e0df06e988f749
functions/operate/analytics/private/merge_old_minutes 0deb388626667797
functions/operate/analytics/private/note_queues 78cf0cea857c15e4
functions/operate/analytics/private/percentiles_of 11c99352c7137d6f
functions/operate/analytics/private/refresh_hours 23b9d629bcd89642
functions/operate/analytics/private/report_since fe507d620fe10772
functions/operate/analytics/private/roll_up 02b1e700a2a47a09
functions/operate/analytics/private/roll_up_minutes 3e789ffbe5405b7c
functions/operate/analytics/private/roll_up_steps 3bed6b7e0b1555e4
functions/operate/analytics/private/roll_up_tasks 76753e794feae857
functions/operate/analytics/private/roll_up_work d9ed2f424fe723d8
functions/operate/analytics/private/step_rollups_since 18268ccad51851ff
functions/operate/analytics/private/step_totals_until_now b0b06b0bde0ea3b1
functions/operate/analytics/private/summarize_new_pages e814802bb4095e0c
functions/operate/analytics/private/task_rollups_since 51977ed52f4bffe6
functions/operate/analytics/private/task_totals_until_now 7b26368a569f02c9
functions/operate/analytics/private/work_rollups_since 6931e1dc6fb5ac1c
functions/operate/analytics/rebuild_analytics 1ae66f2cf2765430
functions/operate/analytics/refresh_analytics da664e089154a9fd
functions/operate/audit/check_integrity 9995fcc2dce7bdd5
functions/operate/audit/get_audit_by_time_range 943b5a6d06e47ca3
functions/operate/audit/private/administration_problems 84e0f816e588a823
functions/operate/audit/private/attempt_problems 781f5627faf3282d
functions/operate/audit/private/constraint_problems a8bb7b0d8029a210
functions/operate/audit/private/counter_problems ef4024d2b5e5da56
functions/operate/audit/private/event_problems c96145cee1c53e24
functions/operate/audit/private/guard_problems 63b34be272a5003c
functions/operate/audit/private/history_problems eb00c49f0d2690c7
functions/operate/audit/private/logged_step_problems 64d7c3cfe9953fe8
functions/operate/audit/private/missing_problems 03bacf6a158e3294
functions/operate/audit/private/object_problems 67fc221d182b0d95
functions/operate/audit/private/queue_problems 2e95cb251a8fabea
functions/operate/audit/private/receipt_problems b6eb593450c57909
functions/operate/audit/private/registry_problems 674f69ae675a52b4
functions/operate/audit/private/relations_of d3cb341e00177fad
functions/operate/audit/private/row_problems c85a6536f47027c8
functions/operate/audit/private/signal_problems 87954a689d9de41b
functions/operate/audit/private/timer_problems 9b60f4d88aebbaad
functions/operate/audit/private/trigger_problems 88fad9545c66e4b4
functions/operate/audit/private/wait_problems 31aaf11e7632707c
functions/operate/audit/private/work_problems d3f4dd5e34b16fb3
functions/operate/dead_letters/private/move_stale_tasks e967f39c9ae0b755
functions/operate/doctor/standby_lag dc9850a0c91f1b39
functions/operate/maintain/do_duties e7d7d7798c7f32b5
functions/operate/maintain/list_maintenance_duties 8c78bbeabfee0dae
functions/operate/maintain/private/do_maintenance_duty 85fa746d3e1dd006
functions/operate/maintain/private/maintain c69e9f07f3d7790b
functions/operate/maintain/run_maintenance 29e89ddae43eb3f2
functions/operate/partitions/private/partition_suffix_of e0882bf08d66f196
rows/operate/analytics/analytics_metrics ccb95d241b05ae45
rows/operate/analytics/duration_percentiles 9bf3ff4a6e520692
rows/operate/analytics/handler_failures 516237f51534df56
rows/operate/analytics/open_task_counts 699a4503cca5556c
rows/operate/analytics/queue_health 86e53cc74b961e5e
rows/operate/analytics/queue_lengths 0bcbde997e3c4cba
rows/operate/analytics/slowest_steps ca274f264701f0fb
rows/operate/analytics/slowest_tasks 215ea6cfc78ab9c5
rows/operate/analytics/system_health_counts a83553c6ae20e0b5
rows/operate/analytics/throughput 11d2bd8eac34f2ad
rows/operate/analytics/work_totals 76ef2cb6995d1e74
rows/operate/audit/integrity_problems 294eb6b87881d318
rows/operate/maintain/maintenance_outcomes 9bc5701616c6ddcc
tables/operate/analytics/queue_history b348bc3ace6d5f2e
tables/operate/analytics/result_totals 8255b6e4d4b2429a
tables/operate/analytics/rollup_state f3c50414c2c2dd4d
tables/operate/analytics/step_rollups 818d39e8e4d47be6
tables/operate/analytics/step_totals c70c0c2f33ee4681
tables/operate/analytics/task_rollups 6cbe2c55936b4891
tables/operate/analytics/task_totals bd6a65496656ad75
tables/operate/analytics/work_rollups b014879ab8b0749e
tables/operate/maintain/maintenance_duties 33ebde97584b8400
views/operate/views/step_hours a6b4c38ac4fa5fa4
views/operate/views/task_hours 2f00b1846ad5fa36
views/operate/views/work_hours 23bcd4a89c120869
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001410';

drop function tasker.list_maintenance_duties;
drop function tasker.do_duties;
drop function tasker.run_maintenance;
drop function tasker.maintain;
drop function tasker.do_maintenance_duty;
drop view tasker.maintenance_outcomes;
drop function tasker.move_stale_tasks;
delete from tasker.maintenance_duties;
drop table tasker.maintenance_duties;
delete from tasker.settings as s where s.name in ('mass_action_seconds');
delete from tasker.settings as s where s.name in ('incident_seconds', 'tenant', 'disk_gigabytes', 'runbook');
drop function tasker.check_integrity;
drop function tasker.object_problems;
drop function tasker.guard_problems;
drop function tasker.administration_problems;
drop function tasker.registry_problems;
drop function tasker.constraint_problems;
drop function tasker.trigger_problems;
drop function tasker.relations_of;
drop function tasker.check_kept;
drop function tasker.attribute_problems;
drop function tasker.stream_problems;
drop function tasker.kept_problems;
drop function tasker.missing_problems;
drop function tasker.work_problems;
drop function tasker.wait_problems;
drop function tasker.timer_problems;
drop function tasker.queue_problems;
drop function tasker.event_problems;
drop function tasker.receipt_problems;
drop function tasker.signal_problems;
drop function tasker.logged_step_problems;
drop function tasker.attempt_problems;
drop function tasker.row_problems;
drop function tasker.counter_problems;
drop function tasker.history_problems;
drop view tasker.integrity_problems;
drop function tasker.get_audit_by_time_range;
drop function tasker.get_work_totals;
drop view tasker.work_totals;
drop function tasker.get_handler_failures;
drop view tasker.handler_failures;
drop function tasker.get_queue_history;
drop view tasker.queue_lengths;
drop function tasker.get_throughput;
drop function tasker.check_periods;
drop view tasker.throughput;
drop function tasker.get_slowest_tasks;
drop view tasker.slowest_tasks;
drop function tasker.get_slowest_steps;
drop view tasker.slowest_steps;
drop function tasker.get_analytics_metrics;
drop view tasker.analytics_metrics;
drop function tasker.report_since;
drop function tasker.health_score;
drop function tasker.note_queues;
drop function tasker.get_queue_health;
drop function tasker.is_served;
drop view tasker.queue_health;
drop function tasker.get_system_health_counts;
drop function tasker.count_ended_work;
drop function tasker.count_open_work;
drop function tasker.bound_health_counts;
drop function tasker.describe_server;
drop function tasker.count_bound_steps;
drop function tasker.count_bound_tasks;
drop function tasker.standby_lag;
drop function tasker.fresh_work;
drop function tasker.step_totals_until_now;
drop function tasker.task_totals_until_now;
drop function tasker.fresh_since;
drop view tasker.system_health_counts;
drop function tasker.oldest_transaction;
drop function tasker.count_open_tasks;
drop view tasker.open_task_counts;
drop function tasker.work_rollups_since;
drop function tasker.step_rollups_since;
drop function tasker.task_rollups_since;
drop function tasker.rebuild_analytics;
drop function tasker.refresh_analytics;
drop function tasker.refresh_hours;
drop function tasker.merge_old_minutes;
drop function tasker.roll_up;
drop function tasker.summarize_new_pages;
drop function tasker.roll_up_minutes;
drop function tasker.roll_up_work;
drop function tasker.roll_up_steps;
drop function tasker.count_steps_since;
drop function tasker.roll_up_tasks;
drop function tasker.count_tasks_since;
drop function tasker.count_results;
drop function tasker.count_ended_steps;
drop function tasker.ended_steps_between;
drop function tasker.count_ended_tasks;
drop function tasker.ended_tasks_between;
drop function tasker.partition_suffix_of;
drop function tasker.percentiles_of;
drop view tasker.duration_percentiles;
drop function tasker.duration_histogram;
drop function tasker.duration_of_bin;
drop function tasker.duration_bin;
drop function tasker.count_failing_timers;
drop materialized view tasker.work_hours;
drop materialized view tasker.step_hours;
drop materialized view tasker.task_hours;
drop table tasker.queue_history;
drop table tasker.work_rollups;
drop table tasker.step_rollups;
drop table tasker.task_rollups;
drop table tasker.result_totals;
drop table tasker.step_totals;
drop table tasker.task_totals;
delete from tasker.rollup_state;
drop table tasker.rollup_state;
delete from tasker.settings as s where s.name in ('rollup_seconds', 'analytics_seconds', 'staleness_seconds', 'partition_seconds', 'retention_seconds', 'garbage_seconds', 'statistics_seconds', 'event_hours', 'rollup_days', 'stale_tasks_to_dlq');

select tasker.note_objects();

reset role;
