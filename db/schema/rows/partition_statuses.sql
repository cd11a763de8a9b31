create table tasker.partition_statuses (
  partition_unit   text         not null,
  premake          integer      not null,
  retention        interval     not null,
  backend          text         not null,
  backend_reason   text         not null,
  ranges           integer      not null,
  ahead            integer      not null,
  held             integer      not null,
  expired          integer      not null,
  first_starts_at  timestamptz,
  last_ends_at     timestamptz,
  covered_for      interval     not null,
  bytes            bigint       not null,
  healthy          boolean      not null,
  problems         text[]       not null,

  constraint partition_statuses_row_type_check
    check (false) no inherit
);

comment on table tasker.partition_statuses is
  'Row type: how partitioning is set up, how far ahead it reaches, what is wrong with it.';
comment on column tasker.partition_statuses.backend_reason is
  'Why this backend and not the other.';
comment on column tasker.partition_statuses.ahead is
  'Ranges that have not begun.';
comment on column tasker.partition_statuses.expired is
  'Ranges that have reached their age and are still there, held ones included.';
comment on column tasker.partition_statuses.covered_for is
  'Until the last range ends; negative if it has ended.';

revoke all on table tasker.partition_statuses from public;
