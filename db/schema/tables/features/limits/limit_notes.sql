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
  'Notes of the changes to a key since a claim last checked the key: a step joined the key''s line, or gave its place back. Notes are written without a lock, so that completions never wait for each other. Claims fold the notes into the lines under the lock of the key.';
comment on column tasker.limit_notes.key_hash is
  'The hash of the key. A claim starts to read at a random hash, so that every key is checked sooner or later.';
comment on column tasker.limit_notes.noted_at is
  'The time since which claims should check the key. Open keys are served in the order of this time.';
