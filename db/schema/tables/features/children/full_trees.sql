create table tasker.full_trees (
  task_uuid  uuid         not null,
  noted_at   timestamptz  not null  default tasker.clock(),

  constraint full_trees_pkey
    primary key (task_uuid)
);

comment on table tasker.full_trees is
  'Root tasks whose tree of tasks has as many tasks as the setting "max_task_tree" allows. Steps of tasks in these trees start no further task. The row of a root that has ended is deleted when the next row is written.';
comment on column tasker.full_trees.task_uuid is
  'The root. There is no foreign key, because retention drops tasks in partitions.';
