create table tasker.kept_changes (
  task_uuid  uuid    not null,
  xact       bigint  not null  default pg_current_xact_id()::text::bigint,

  constraint kept_changes_pkey
    primary key (task_uuid, xact)
);

comment on table tasker.kept_changes is
  'Tasks that changed while their range was being moved (tasker.kept_moves), each with the transaction that changed it. The move copies these tasks again.';
