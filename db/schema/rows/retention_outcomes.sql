create table tasker.retention_outcomes (
  starts_at  timestamptz  not null,
  ends_at    timestamptz  not null,
  outcome    text         not null,
  detail     text         not null,

  constraint retention_outcomes_row_type_check
    check (false) no inherit
);

comment on table tasker.retention_outcomes is
  'Row type: the outcome for a range past its retention: dropped, evacuated, held or busy.';

revoke all on table tasker.retention_outcomes from public;
