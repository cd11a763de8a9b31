-- EnsurePartitions creates missing ranges, at most 32 in a call, and returns how many ranges it created.
-- name: EnsurePartitions :one
select tasker.ensure_partitions();

-- ListPartitionRanges returns the existing ranges, oldest first.
-- name: ListPartitionRanges :many
select * from tasker.list_partition_ranges();

-- SetupPartitioning sets how the run tables are partitioned, and returns the partitioning. An omitted value
-- does not change. Intervals are PostgreSQL's: "1 month", "7 days", "1 day", "1 hour". Call EnsurePartitions
-- afterwards until it returns 0.
-- name: SetupPartitioning :one
select *
  from tasker.setup_partitioning(
    p_interval  => sqlc.narg('partition_interval')::text::interval,
    p_premake   => sqlc.narg('premake'),
    p_retention => sqlc.narg('retention')::text::interval,
    p_backend   => sqlc.narg('backend'),
    p_actor => sqlc.narg('act_actor'),
    p_reason => sqlc.narg('act_reason')
);

-- PartitionStatus returns how the run tables are partitioned, which manager creates the partitions, and the problems
-- of the partitioning.
-- name: PartitionStatus :one
select * from tasker.partition_status();

-- PartitionSizes returns every range, oldest first, with its size, its status, and the reason if the range is held.
-- name: PartitionSizes :many
select * from tasker.partition_sizes();

-- HeldPartitions returns the ranges that are old enough to be dropped but must be kept, each with the reason.
-- name: HeldPartitions :many
select * from tasker.held_partitions();

-- ApplyRetention drops the oldest range that has reached its age, unless something still needs the range. Call it until
-- no outcome is "dropped", each time in a transaction of its own.
-- name: ApplyRetention :many
select * from tasker.apply_retention();

-- EvacuatePartition rebuilds a range so that it contains only the tasks that keep it from being dropped.
-- name: EvacuatePartition :one
select *
  from tasker.evacuate_partition(
    p_starts_at => @starts_at,
    p_limit => coalesce(sqlc.narg('max_tasks')::integer, 1000),
    p_actor => sqlc.narg('act_actor'),
    p_reason => sqlc.narg('act_reason')
);

-- AnalyzeGrowth returns how fast the run tables grow, and which interval of ranges suits this growth.
-- name: AnalyzeGrowth :one
select * from tasker.analyze_growth();

-- GcIdentities deletes identities that have expired or whose task is gone, and returns how many it deleted. The default
-- limit of a call is 5000 identities. Repeat the call until it returns 0.
-- name: GcIdentities :one
select tasker.gc_identities(sqlc.narg('limit'));

-- GcQueueArchives deletes archived messages that are older than the retention, and returns how many it deleted. The
-- default limit of a call is 5000 messages. Repeat the call until it returns 0.
-- name: GcQueueArchives :one
select tasker.gc_queue_archives(sqlc.narg('limit'));

-- AnalyzeParents runs ANALYZE on the run table with the oldest statistics, if the statistics are older than older_than
-- (by default a day). It returns the name of the table, or "" if no table is due.
-- name: AnalyzeParents :one
select coalesce(tasker.analyze_parents(sqlc.narg('older_than')::interval), '')::text;

-- SetRetention keeps the tasks of a namespace, or of one of its templates, for keep_for (such as "2 years") after the end
-- of their range. If keep_for is omitted, the tasks are dropped together with their range, and it returns no row.
-- name: SetRetention :many
select *
  from tasker.set_retention(
    @namespace,
    sqlc.narg('template'),
    sqlc.narg('keep_for')::text::interval,
    p_actor => sqlc.narg('act_actor'),
    p_reason => sqlc.narg('act_reason')
);

-- ListRetentions returns the namespaces and templates whose tasks are kept longer than their ranges.
-- name: ListRetentions :many
select * from tasker.list_retentions();
