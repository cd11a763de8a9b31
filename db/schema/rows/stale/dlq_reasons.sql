create table tasker.dlq_reasons (
  dlq_reason              text         not null,
  total_entries           bigint       not null,
  pending                 bigint       not null,
  manually_resolved       bigint       not null,
  permanently_failed      bigint       not null,
  cancelled               bigint       not null,
  oldest_entry            timestamptz  not null,
  newest_entry            timestamptz  not null,
  avg_resolution_minutes  numeric,

  constraint dlq_reasons_row_type_check
    check (false) no inherit
);

comment on table tasker.dlq_reasons is
  'Row type: the dead-letter entries of one reason, by how they ended.';
comment on column tasker.dlq_reasons.avg_resolution_minutes is
  'Null while none has ended.';

revoke all on table tasker.dlq_reasons from public;
