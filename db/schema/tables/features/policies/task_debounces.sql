create table tasker.task_debounces (
  key_hash   bytea        not null,
  task_uuid  uuid,
  first_at   timestamptz  not null,

  constraint task_debounces_pkey
    primary key (key_hash),
  constraint task_debounces_key_hash_check
    check (octet_length(key_hash) = 32)
);

create index task_debounces_first_idx
  on tasker.task_debounces (first_at);

comment on index tasker.task_debounces_first_idx is
  'Serves the deletion of keys whose task has started.';

comment on table tasker.task_debounces is
  'The task of the last request of a debounced key. Requests of one key wait for the lock of this row.';
comment on column tasker.task_debounces.first_at is
  'The time of the first of the waiting requests. The longest allowed wait is measured from this time.';
