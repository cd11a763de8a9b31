-- EnsurePartitions makes the ranges that are missing and returns how many it made.
-- name: EnsurePartitions :one
select tasker.ensure_partitions();

-- ListPartitionRanges returns the ranges that exist, oldest first.
-- name: ListPartitionRanges :many
select * from tasker.list_partition_ranges();
