create table tasker.sql_slots (
  slot_no  integer  not null,
  alone    boolean  not null,
  ran      bigint   not null,

  constraint sql_slots_pkey
    primary key (slot_no)
) with (fillfactor = 50);

comment on table tasker.sql_slots is
  'Slots for the sessions that run SQL steps: each session locks one slot. A call takes the next number of the slot''s sequence, which a rollback does not undo, and writes the number into ran at its end. If the sequence and ran differ, the newest call in the slot left no record.';
comment on column tasker.sql_slots.alone is
  'Whether a call in this slot runs one step whose attempt is in tasker.sql_attempts. If false, calls in this slot claim steps and run them.';
comment on column tasker.sql_slots.ran is
  'The number of the newest call in this slot that ended.';
