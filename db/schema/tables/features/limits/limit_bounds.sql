create table tasker.limit_bounds (
  limit_no     integer      not null,
  limit_key    text         not null,
  namespace    text         not null,
  name         text         not null,
  concurrency  integer,
  rate         integer,
  per_seconds  integer      not null,
  burst        integer      not null,
  created_at   timestamptz  not null  default tasker.clock(),
  created_by   text         not null,
  updated_at   timestamptz  not null  default tasker.clock(),
  updated_by   text         not null,

  constraint limit_bounds_pkey
    primary key (limit_no, limit_key),
  constraint limit_bounds_limit_no_fkey
    foreign key (limit_no) references tasker.limits (limit_no),
  constraint limit_bounds_limit_key_check
    check (octet_length(limit_key) <= 1000),
  constraint limit_bounds_concurrency_check
    check (concurrency between 0 and 1000000),
  constraint limit_bounds_rate_check
    check (rate between 1 and 1000000),
  constraint limit_bounds_per_seconds_check
    check (per_seconds between 1 and 31536000),
  constraint limit_bounds_burst_check
    check (burst between 1 and 1000000)
);

comment on table tasker.limit_bounds is
  'The keys of limits that have bounds of their own, in place of all bounds of their limit. Operators set these bounds. Most keys have none.';
comment on column tasker.limit_bounds.namespace is
  'The namespace and the name of the limit, for the log of administration.';
comment on column tasker.limit_bounds.concurrency is
  'The number of steps of the key that may run at once. Null means any number.';
comment on column tasker.limit_bounds.rate is
  'The number of steps of the key that may start in per_seconds. Null means any number.';
comment on column tasker.limit_bounds.burst is
  'The number of steps of the key that may start at once after a pause.';
