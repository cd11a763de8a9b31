create table tasker.sql_attempts (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  claim_no         integer      not null,
  namespace        text         not null,
  timeout_seconds  integer,
  conflicts        integer      not null  default 0,
  due_at           timestamptz  not null  default tasker.write_clock(),
  slot_no          integer,

  constraint sql_attempts_pkey
    primary key (task_uuid, step_no),
  constraint sql_attempts_slot_no_key
    unique (slot_no),
  constraint sql_attempts_slot_no_fkey
    foreign key (slot_no) references tasker.sql_slots (slot_no)
) with (fillfactor = 70);

create index sql_attempts_due_idx
  on tasker.sql_attempts (due_at)
  where slot_no is null;

comment on index tasker.sql_attempts_due_idx is
  'Serves the choice of the attempt that a free slot takes next.';

comment on table tasker.sql_attempts is
  'Attempts of SQL steps that are claimed but whose function was not called yet, because each must be alone in a call of tasker.run_sql_steps. These are steps with a time-out, steps that were tried before, and all steps of a claim after a call that left no record.';
comment on column tasker.sql_attempts.conflicts is
  'The number of times that the call of the step''s function ended in a deadlock, a serialization failure or a wait for a lock. These ends do not count as attempts.';
comment on column tasker.sql_attempts.slot_no is
  'The slot whose next call runs the attempt. Null if the attempt waits for a slot. If a call leaves no record, the slot shows which attempt the call belonged to.';
