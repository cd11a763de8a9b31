create table tasker.limits (
  limit_no     integer      not null  generated always as identity,
  namespace    text         not null,
  name         text         not null,
  concurrency  integer,
  rate         integer,
  per_seconds  integer      not null  default 1,
  burst        integer      not null  default 1,
  version      integer      not null  default 1,
  created_at   timestamptz  not null  default tasker.clock(),
  created_by   text         not null,
  updated_at   timestamptz  not null  default tasker.clock(),
  updated_by   text         not null,
  with_places  boolean      not null  default false,
  with_inputs  boolean      not null  default false,

  constraint limits_pkey
    primary key (limit_no),
  constraint limits_namespace_name_key
    unique (namespace, name),
  constraint limits_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint limits_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'),
  constraint limits_concurrency_check
    check (concurrency between 0 and 1000000),
  constraint limits_rate_check
    check (rate between 1 and 1000000),
  constraint limits_per_seconds_check
    check (per_seconds between 1 and 31536000),
  constraint limits_burst_check
    check (burst between 1 and 1000000),
  constraint limits_version_check
    check (version > 0)
);

comment on table tasker.limits is
  'Named limits of a namespace. A limit bounds, for each key, how many steps that name the limit may run at once, and how many may start within a period.';
comment on column tasker.limits.concurrency is
  'The number of steps of one key that may run at once. Null means any number.';
comment on column tasker.limits.rate is
  'The number of steps of one key that may start in per_seconds. Null means any number.';
comment on column tasker.limits.burst is
  'The number of steps of one key that may start at once after a pause.';
comment on column tasker.limits.with_places is
  'Whether steps that name this limit have rows in tasker.limit_places. If so, a claim also counts the places that steps hold in that table, and takes the steps one by one.';
comment on column tasker.limits.with_inputs is
  'Whether the tasks of a template that names this limit give the key a bound (limit_bound). If false, claims do not read tasker.limit_input_bounds.';
comment on column tasker.limits.version is
  'The version of the limit, which every change increases. A line that was closed under an older version is opened again.';
