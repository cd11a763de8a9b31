-- down: select tasker.drop_partition_range(r.starts_at) from tasker.partition_ranges as r;

select tasker.ensure_partitions();
