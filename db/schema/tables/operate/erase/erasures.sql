create table tasker.erasures (
  task_uuid  uuid         not null,
  namespace  text         not null,
  root_uuid  uuid         not null,
  erased_at  timestamptz  not null,
  erased_by  text         not null,
  reason     text         not null,
  steps      integer      not null,
  digest     text         not null,
  remains    text         not null,

  constraint erasures_pkey
    primary key (task_uuid),
  constraint erasures_digests_check
    check (length(digest) = 64 and length(remains) = 64 and translate(digest || remains, '0123456789abcdef', '') = '')
);

comment on table tasker.erasures is
  'The tasks whose data was erased, with the caller, the time and the reason. A row remains after retention drops its task. The table is not partitioned.';
comment on column tasker.erasures.root_uuid is
  'The task for which the erasure was requested: the task itself, or a task above it.';
comment on column tasker.erasures.erased_by is
  'The name that the caller gave for itself, or else its role. tasker.administration_log also has the login.';
comment on column tasker.erasures.digest is
  'SHA-256, in hexadecimal digits, of the rows of the task before the erasure (tasker.run_digest). A copy, such as a backup, can be compared with this digest.';
comment on column tasker.erasures.remains is
  'SHA-256 of the rows that the erasure left. tasker.check_integrity() computes it again.';
