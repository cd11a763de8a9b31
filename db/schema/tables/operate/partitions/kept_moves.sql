create table tasker.kept_moves (
  starts_at  timestamptz  not null,
  suffix     text         not null,
  templates  uuid[]       not null,
  template   uuid,
  task_uuid  uuid,
  tasks      bigint       not null  default 0,
  begun_at   timestamptz  not null  default tasker.clock(),

  constraint kept_moves_pkey
    primary key (starts_at)
);

comment on table tasker.kept_moves is
  'The ranges past their retention whose kept tasks are being copied to new partitions. A row is deleted when its range is replaced or dropped.';
comment on column tasker.kept_moves.suffix is
  'The suffix of the names of the new partitions. The new partitions are attached when the old ones are dropped.';
comment on column tasker.kept_moves.templates is
  'The templates whose tasks are kept. If tasks of a further template must be kept, the move begins again.';
comment on column tasker.kept_moves.template is
  'The template of the last task that was copied. The column task_uuid has that task. Null before the first batch.';
comment on column tasker.kept_moves.tasks is
  'The number of tasks that were copied.';
