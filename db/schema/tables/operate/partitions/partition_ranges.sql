create table tasker.partition_ranges (
  starts_at    timestamptz  not null,
  ends_at      timestamptz  not null,
  from_uuid    uuid         not null  generated always as (tasker.uuid_v7_floor(starts_at)) stored,
  to_uuid      uuid         not null  generated always as (tasker.uuid_v7_floor(ends_at)) stored,
  suffix       text         not null,
  created_at   timestamptz  not null  default tasker.clock(),
  evacuations  integer      not null  default 0,
  busy_count   integer      not null  default 0,
  retry_at     timestamptz,
  kept         uuid[]       not null  default '{}',
  collected    uuid,

  constraint partition_ranges_pkey
    primary key (starts_at),
  constraint partition_ranges_suffix_key
    unique (suffix),
  constraint partition_ranges_suffix_check
    check (suffix ~ '^p[0-9]{8}(_[0-9]{6})?(_e[0-9]+)?$'),
  constraint partition_ranges_order_check
    check (starts_at < ends_at),
  constraint partition_ranges_counts_check
    check (evacuations >= 0 and busy_count >= 0),
  constraint partition_ranges_no_overlap_excl
    exclude using gist (tstzrange(starts_at, ends_at) with &&)
);

comment on table tasker.partition_ranges is
  'The existing ranges. Each range has one partition of every partitioned table. A transaction that creates or drops these partitions also inserts or deletes the row.';
comment on column tasker.partition_ranges.evacuations is
  'The number of times that the range was rebuilt with only the tasks that prevented its drop. 0 for a complete range.';
comment on column tasker.partition_ranges.busy_count is
  'The number of times that retention waited for the locks of the range and did not get them.';
comment on column tasker.partition_ranges.retry_at is
  'The time before which retention does not wait for the locks of the range again.';
comment on column tasker.partition_ranges.kept is
  'The templates whose tasks were moved into this range because they are kept longer (tasker.retentions). Empty for a complete range.';
comment on column tasker.partition_ranges.collected is
  'The task up to which the identities of tasks that an evacuation dropped were deleted. Null if this deletion has not begun.';
