create table tasker.named_tasks (
  named_task_uuid                       uuid         not null  default tasker.uuid_generate_v7(),
  task_namespace_uuid                   uuid         not null,
  name                                  text         not null,
  version                               text         not null  default '0.1.0',
  description                           text,
  configuration                         jsonb        not null  default '{}',
  content_hash                          bytea        not null,
  types                                 jsonb,
  identity_strategy                     text         not null  default 'strict',
  on_failure                            text         not null  default 'continue',
  total_steps                           integer      not null  default 0,
  root_steps                            integer      not null  default 0,
  waiting_roots                         integer      not null  default 0,
  has_conditions                        boolean      not null  default false,
  has_maps                              boolean      not null  default false,
  root_effects                          smallint     not null  default 0,
  has_compensations                     boolean      not null  default false,
  max_waiting_for_dependencies_minutes  integer,
  max_waiting_for_retry_minutes         integer,
  max_steps_in_process_minutes          integer,
  retired_at                            timestamptz,
  created_at                            timestamptz  not null  default tasker.clock(),

  constraint named_tasks_pkey
    primary key (named_task_uuid),
  constraint named_tasks_namespace_name_version_key
    unique (task_namespace_uuid, name, version),
  constraint named_tasks_task_namespace_uuid_fkey
    foreign key (task_namespace_uuid) references tasker.task_namespaces (task_namespace_uuid),
  constraint named_tasks_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$'),
  constraint named_tasks_version_check
    check (version ~ '^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,15}$'),
  constraint named_tasks_configuration_check
    check (jsonb_typeof(configuration) = 'object'),
  constraint named_tasks_content_hash_check
    check (octet_length(content_hash) = 32),
  constraint named_tasks_identity_strategy_check
    check (identity_strategy in ('strict', 'caller_provided', 'always_unique')),
  constraint named_tasks_on_failure_check
    check (on_failure in ('continue', 'halt', 'fail')),
  constraint named_tasks_steps_check
    check (waiting_roots between 0 and root_steps and root_steps <= total_steps and total_steps <= 65535),
  constraint named_tasks_lifecycle_check
    check (
      max_waiting_for_dependencies_minutes > 0
      and max_waiting_for_retry_minutes > 0
      and max_steps_in_process_minutes > 0
    )
);

comment on table tasker.named_tasks is
  'A version of a task template. A version never changes once a task uses it. A version is retired, not deleted.';
comment on column tasker.named_tasks.content_hash is
  'sha256 of the registered content: registering the same again changes nothing.';
comment on column tasker.named_tasks.types is
  'The types of the context and of results in the programs that registered the version: a text for each type that a program named.';
comment on column tasker.named_tasks.on_failure is
  'continue: branches that do not depend on a failed step continue; halt: running steps finish, no new step starts; fail: as continue, and the task fails once nothing else can move.';

comment on column tasker.named_tasks.total_steps is
  'The number of steps of the template. root_steps counts the steps without dependencies except maps, and waiting_roots counts the root steps without a handler. All three are stored so that a creation need not count the steps.';
comment on column tasker.named_tasks.has_conditions is
  'Whether an edge has a condition. Without a condition no step is skipped because of another step''s result.';
comment on column tasker.named_tasks.has_maps is
  'Whether a step is a map, waits for a failure or starts with the first of its dependencies. The consequences of a move are then decided for each task, as if the task had edges of its own (tasker.tasks.has_added_edges).';
comment on column tasker.named_tasks.root_effects is
  'The effects of all steps without dependencies together. These features take part in the creation of a task.';
comment on column tasker.named_tasks.has_compensations is
  'Whether a step has a compensation. If so, the tasks of the template have something to undo when they fail or are cancelled.';
