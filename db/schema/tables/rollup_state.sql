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
  'How far the totals and rollups reach. One row.';
comment on column tasker.rollup_state.settled_until is
  'What happened before is counted for good; what happened since is counted anew each time, because a transaction may still be open that wrote there.';
comment on column tasker.rollup_state.rolled_up_until is
  'When the totals and rollups were last brought up to date.';
comment on column tasker.rollup_state.hours_until is
  'How far the materialised views reach.';
comment on column tasker.rollup_state.mark_xid is
  'Once all transactions up to it have ended, what happened before mark_at is settled. Null: an hour after mark_at it is.';

revoke all on table tasker.rollup_state from public;
