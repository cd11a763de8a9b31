create table tasker.task_identities (
  identity_hash  bytea        not null,
  task_uuid      uuid         not null,
  created_at     timestamptz  not null  default tasker.clock(),
  expires_at     timestamptz,
  while_open     boolean      not null  default false,
  resets         integer      not null  default 0,

  constraint task_identities_pkey
    primary key (identity_hash),
  constraint task_identities_identity_hash_check
    check (octet_length(identity_hash) = 32)
);

create index task_identities_task_idx
  on tasker.task_identities (task_uuid);

comment on index tasker.task_identities_task_idx is
  'Serves the deletion of identities whose tasks retention has dropped.';
comment on table tasker.task_identities is
  'Maps requests to tasks, so that a repeated request returns its task. Not partitioned, so that an identity is unique for all time.';
comment on column tasker.task_identities.expires_at is
  'The time when the identity expires. Null means that it lasts as long as the task exists.';
comment on column tasker.task_identities.while_open is
  'Whether the request that created the task had the identity scope "open".';
comment on column tasker.task_identities.resets is
  'The number of times that a reset opened a task of this identity again. A request that takes the identity over checks that neither this number nor the task has changed.';
