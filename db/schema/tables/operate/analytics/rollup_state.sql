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
