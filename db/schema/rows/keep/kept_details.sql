create table tasker.kept_details (
  position    integer      not null,
  name        text         not null,
  occurrence  integer      not null,
  value       jsonb,
  error       text,
  kept_at     timestamptz  not null,

  constraint kept_details_row_type_check
    check (false) no inherit
);

comment on table tasker.kept_details is
  'Row type: a result that a durable function has kept.';
comment on column tasker.kept_details.error is
  'The error that was kept instead of a value.';

revoke all on table tasker.kept_details from public;
