create table tasker.sql_slots (
  slot_no  integer  not null,
  alone    boolean  not null,
  ran      bigint   not null,

  constraint sql_slots_pkey
    primary key (slot_no)
) with (fillfactor = 50);

comment on table tasker.sql_slots is
  'The sessions that run SQL steps lock a slot each. A call takes a number of its slot''s sequence, which no rollback takes back, and writes the number into ran at its end. If the two differ, the newest call in the slot left no record.';
comment on column tasker.sql_slots.alone is
  'Whether a call in this slot runs one step whose attempt was written before. Otherwise they claim steps and run them.';
comment on column tasker.sql_slots.ran is
  'The number of the newest call that ended.';
