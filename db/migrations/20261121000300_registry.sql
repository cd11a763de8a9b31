-- registry: namespaces, task templates and their graphs
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/tables/task_namespaces.sql
create table tasker.task_namespaces (
  task_namespace_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name                 text         not null,
  description          text,
  paused_at            timestamptz,
  paused_by            text,
  result_mode          text         not null  default 'immediate',
  transport            text         not null  default 'table',
  priority_modifier    numeric      not null  default 0,
  created_at           timestamptz  not null  default tasker.clock(),
  updated_at           timestamptz  not null  default tasker.clock(),

  constraint task_namespaces_pkey
    primary key (task_namespace_uuid),
  constraint task_namespaces_name_key
    unique (name),
  constraint task_namespaces_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,28}$'),
  constraint task_namespaces_paused_check
    check ((paused_at is null) = (paused_by is null)),
  constraint task_namespaces_result_mode_check
    check (result_mode in ('immediate', 'deferred')),
  constraint task_namespaces_transport_check
    check (transport in ('table', 'pgmq'))
);

comment on table tasker.task_namespaces is
  'A namespace groups task templates and has its own worker queue.';
comment on column tasker.task_namespaces.name is
  'At most 29 characters, so that its queue''s and its channel''s name fit into an identifier.';
comment on column tasker.task_namespaces.result_mode is
  'immediate: a result moves the task on in its own transaction; deferred: an orchestrator does it later.';
comment on column tasker.task_namespaces.transport is
  'table: workers claim from tasker.step_queue only; pgmq: each enqueued step is announced by a message as well.';

revoke all on table tasker.task_namespaces from public;
-- <<<

-- >>> db/schema/tables/named_tasks.sql
create table tasker.named_tasks (
  named_task_uuid                       uuid         not null  default tasker.uuid_generate_v7(),
  task_namespace_uuid                   uuid         not null,
  name                                  text         not null,
  version                               text         not null  default '0.1.0',
  description                           text,
  configuration                         jsonb        not null  default '{}',
  content_hash                          bytea        not null,
  identity_strategy                     text         not null  default 'strict',
  on_failure                            text         not null  default 'continue',
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
    check (on_failure in ('continue', 'halt')),
  constraint named_tasks_lifecycle_check
    check (
      max_waiting_for_dependencies_minutes > 0
      and max_waiting_for_retry_minutes > 0
      and max_steps_in_process_minutes > 0
    )
);

comment on table tasker.named_tasks is
  'A version of a task template. What it says never changes once a task uses it; it is retired, not deleted.';
comment on column tasker.named_tasks.content_hash is
  'sha256 of the registered content: registering the same again changes nothing.';
comment on column tasker.named_tasks.on_failure is
  'continue: branches that do not depend on a failed step go on; halt: running steps finish, nothing new starts.';

revoke all on table tasker.named_tasks from public;
-- <<<

-- >>> db/schema/tables/named_steps.sql
create table tasker.named_steps (
  named_step_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name             text         not null,
  description      text,
  created_at       timestamptz  not null  default tasker.clock(),

  constraint named_steps_pkey
    primary key (named_step_uuid),
  constraint named_steps_name_key
    unique (name),
  constraint named_steps_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$')
);

comment on table tasker.named_steps is
  'A handler, by the name under which workers register it. Steps of any template may use it.';

revoke all on table tasker.named_steps from public;
-- <<<

-- >>> db/schema/tables/named_tasks_named_steps.sql
create table tasker.named_tasks_named_steps (
  named_task_uuid       uuid     not null,
  step_no               integer  not null,
  step_name             text     not null,
  named_step_uuid       uuid     not null,
  retryable             boolean  not null  default true,
  max_attempts          integer  not null  default 3,
  backoff_base_seconds  tasker.backoff_base,
  backoff_multiplier    tasker.backoff_multiplier,
  max_backoff_seconds   tasker.backoff_limit,
  timeout_seconds       integer,
  priority              integer  not null  default 0,
  join_mode             tasker.join_mode  not null  default 'all',
  total_parents         integer  not null  default 0,
  initialization        jsonb    not null  default '{}',

  constraint named_tasks_named_steps_pkey
    primary key (named_task_uuid, step_no),
  constraint named_tasks_named_steps_step_name_key
    unique (named_task_uuid, step_name),
  constraint named_tasks_named_steps_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint named_tasks_named_steps_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid),
  constraint named_tasks_named_steps_step_no_check
    check (step_no between 1 and 65535),
  constraint named_tasks_named_steps_step_name_check
    check (step_name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'),
  constraint named_tasks_named_steps_max_attempts_check
    check (max_attempts between 1 and 10000),
  constraint named_tasks_named_steps_timeout_seconds_check
    check (timeout_seconds > 0),
  constraint named_tasks_named_steps_initialization_check
    check (jsonb_typeof(initialization) = 'object'),
  constraint named_tasks_named_steps_total_parents_check
    check (total_parents >= 0)
);

create index named_tasks_named_steps_handler_idx
  on tasker.named_tasks_named_steps (named_step_uuid);

comment on index tasker.named_tasks_named_steps_handler_idx is
  'Serves the foreign key to named_steps and "which templates use this handler".';

comment on table tasker.named_tasks_named_steps is
  'The steps of a template, numbered as the steps of its tasks will be.';
comment on column tasker.named_tasks_named_steps.join_mode is
  'When a step whose parents are all settled runs: all of its edges satisfied, any of them, or settled whatever came out.';

comment on column tasker.named_tasks_named_steps.total_parents is
  'How many steps it depends on: creation of tasks need not count the edges.';

revoke all on table tasker.named_tasks_named_steps from public;
-- <<<

-- >>> db/schema/tables/named_task_edges.sql
create table tasker.named_task_edges (
  named_task_uuid  uuid      not null,
  from_step_no     integer   not null,
  to_step_no       integer   not null,
  condition        jsonpath,

  constraint named_task_edges_pkey
    primary key (named_task_uuid, from_step_no, to_step_no),
  constraint named_task_edges_from_step_no_fkey
    foreign key (named_task_uuid, from_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_to_step_no_fkey
    foreign key (named_task_uuid, to_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_no_self_edge_check
    check (from_step_no <> to_step_no)
);

create index named_task_edges_parents_idx
  on tasker.named_task_edges (named_task_uuid, to_step_no);

comment on index tasker.named_task_edges_parents_idx is
  'Serves the foreign key of to_step_no and the look from a step to its parents.';

comment on table tasker.named_task_edges is
  'The dependencies between the steps of a template.';
comment on column tasker.named_task_edges.condition is
  'The template''s "when": a predicate on the parent''s results; null is satisfied by any success.';

revoke all on table tasker.named_task_edges from public;
-- <<<

-- >>> db/schema/functions/internal/refuse_registry_delete.sql
create or replace function tasker.refuse_registry_delete()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('rows of tasker.%s are never deleted', tg_table_name),
    detail  = 'Tasks refer to them for as long as they are kept, without a foreign key.',
    hint    = 'Retire a template instead.';
end;
$$;

comment on function tasker.refuse_registry_delete() is
$$Trigger function: keeps what tasks and steps refer to. Raises TK409.$$;

revoke all on function tasker.refuse_registry_delete() from public;
-- <<<

-- >>> db/schema/triggers/registry_delete.sql
create or replace trigger named_tasks_refuse_delete
  before delete or truncate on tasker.named_tasks
  for each statement execute function tasker.refuse_registry_delete();

create or replace trigger named_steps_refuse_delete
  before delete or truncate on tasker.named_steps
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_tasks_refuse_delete on tasker.named_tasks is
  'tasks.named_task_uuid has no foreign key: checking it would cost every creation, this costs nothing.';
comment on trigger named_steps_refuse_delete on tasker.named_steps is
  'workflow_steps.named_step_uuid has no foreign key: checking it would cost every creation, this costs nothing.';
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop trigger named_steps_refuse_delete on tasker.named_steps;
drop trigger named_tasks_refuse_delete on tasker.named_tasks;
drop function tasker.refuse_registry_delete;
drop table tasker.named_task_edges;
drop table tasker.named_tasks_named_steps;
drop table tasker.named_steps;
drop table tasker.named_tasks;
drop table tasker.task_namespaces;

reset role;
