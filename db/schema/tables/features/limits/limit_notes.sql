create table tasker.limit_notes (
  limit_no         integer      not null,
  key_hash         integer      not null,
  limit_key        text         not null,
  note_no          bigint       not null  generated always as identity,
  named_step_uuid  uuid         not null,
  noted_at         timestamptz  not null,

  constraint limit_notes_pkey
    primary key (limit_no, key_hash, limit_key, note_no)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.limit_notes is
  'Notes of changes to a key since the last claim that checked it: a step joined the key''s line, or gave its place back. Notes are written without a lock, so that completions never wait for each other. Claims fold the notes into the lines under the lock of the key.';
comment on column tasker.limit_notes.key_hash is
  'The hash of the key. A claim begins at a random hash, so that no key starves.';
comment on column tasker.limit_notes.noted_at is
  'The time since which claims should check the key. This gives the key its turn among open keys.';
