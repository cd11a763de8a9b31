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
  'Row type: the configuration of partitioning, how far ahead it reaches, and its problems.';
comment on column tasker.partition_statuses.backend_reason is
  'Why this backend and not the other.';
comment on column tasker.partition_statuses.ahead is
  'Ranges that have not begun.';
comment on column tasker.partition_statuses.expired is
  'Ranges past their retention that still exist, held ones included.';
comment on column tasker.partition_statuses.covered_for is
  'The time until the last range ends; negative if it has ended.';

revoke all on table tasker.partition_statuses from public;
