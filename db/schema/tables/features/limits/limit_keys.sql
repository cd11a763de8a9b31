create table tasker.limit_keys (
  limit_no    integer      not null,
  limit_key   text         not null,
  paid_until  timestamptz,

  constraint limit_keys_pkey
    primary key (limit_no, limit_key),
  constraint limit_keys_limit_key_check
    check (octet_length(limit_key) <= 1000)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.limit_keys is
  'One row for each key of a limit. A claim locks this row before it counts the running steps, so that two claims never give out the same place. Maintenance deletes the rows of idle keys.';
comment on column tasker.limit_keys.paid_until is
  'The one timestamp of the key''s rate (GCRA). Each start advances the timestamp by the interval between two starts. The timestamp is never further ahead of now than the burst allows.';
