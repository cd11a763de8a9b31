create table tasker.limit_input_bounds (
  limit_no     integer      not null,
  limit_key    text         not null,
  bound_no     bigint       not null  generated always as identity,
  concurrency  integer      not null,
  set_at       timestamptz  not null,

  constraint limit_input_bounds_pkey
    primary key (limit_no, limit_key, bound_no),
  constraint limit_input_bounds_limit_key_check
    check (octet_length(limit_key) <= 1000),
  constraint limit_input_bounds_concurrency_check
    check (concurrency between 1 and 1000000)
);

create index limit_input_bounds_old_idx
  on tasker.limit_input_bounds (set_at);

comment on index tasker.limit_input_bounds_old_idx is
  'Serves maintenance: the bounds that no task has set for a year.';

comment on table tasker.limit_input_bounds is
  'The bounds that the contexts of tasks give the keys of limits. The row with the largest number applies. Rows are only inserted, without a lock, so that creations never wait for each other. Each insertion deletes the older rows of its key.';
comment on column tasker.limit_input_bounds.concurrency is
  'The number of steps of the key that may run at once.';
comment on column tasker.limit_input_bounds.set_at is
  'The time when a task set the bound. A task that sets the same bound renews the row after 30 days.';
