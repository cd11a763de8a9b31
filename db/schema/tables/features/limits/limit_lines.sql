create table tasker.limit_lines (
  limit_no         integer      not null,
  limit_key        text         not null,
  named_step_uuid  uuid         not null,
  version          integer      not null,
  next_at          timestamptz  not null,

  constraint limit_lines_pkey
    primary key (limit_no, limit_key, named_step_uuid)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index limit_lines_due_idx
  on tasker.limit_lines (limit_no, named_step_uuid, version, next_at);

comment on index tasker.limit_lines_due_idx is
  'Serves claims: the open lines of a handler, without the closed lines. The line that was served longest ago comes first.';

comment on table tasker.limit_lines is
  'One row for each key and handler with steps that wait for a limit. Written only under the lock of the key''s row in tasker.limit_keys.';
comment on column tasker.limit_lines.version is
  'The version of the limit from which next_at was computed.';
comment on column tasker.limit_lines.next_at is
  'The time when a claim checks the line next. If the limit has free places, this is the time when the line was last served. If the rate delays the next start, this is the time of that start. While all places are taken, this is the end of the first lease, or infinity. Notes open the line earlier.';
