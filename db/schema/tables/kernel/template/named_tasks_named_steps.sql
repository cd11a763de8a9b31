create table tasker.named_tasks_named_steps (
  named_task_uuid       uuid     not null,
  step_no               integer  not null,
  step_name             text     not null,
  named_step_uuid       uuid     not null,
  retryable             boolean  not null  default true,
  effects               smallint not null  default 0,
  max_attempts          integer  not null  default 3,
  backoff_base_seconds  tasker.backoff_base,
  backoff_multiplier    tasker.backoff_multiplier,
  max_backoff_seconds   tasker.backoff_limit,
  timeout_seconds       integer,
  priority              integer  not null  default 0,
  join_mode             tasker.join_mode  not null  default 'all',
  total_parents         integer  not null  default 0,
  initialization        jsonb    not null  default '{}',
  await                 jsonb,
  for_each              jsonb,
  limit_no              integer,
  limit_key             jsonpath,
  limit_needs           jsonb,
  start_within          numeric,
  compensate_uuid       uuid,

  constraint named_tasks_named_steps_pkey
    primary key (named_task_uuid, step_no),
  constraint named_tasks_named_steps_step_name_key
    unique (named_task_uuid, step_name),
  constraint named_tasks_named_steps_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint named_tasks_named_steps_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid),
  constraint named_tasks_named_steps_compensate_uuid_fkey
    foreign key (compensate_uuid) references tasker.named_steps (named_step_uuid),
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

create index named_tasks_named_steps_compensate_idx
  on tasker.named_tasks_named_steps (compensate_uuid);

comment on index tasker.named_tasks_named_steps_compensate_idx is
  'Serves the foreign key to named_steps.';
comment on index tasker.named_tasks_named_steps_handler_idx is
  'Serves the foreign key to named_steps and "which templates use this handler".';

comment on table tasker.named_tasks_named_steps is
  'The steps of a template, numbered as the steps of its tasks will be.';
comment on column tasker.named_tasks_named_steps.effects is
  'The features that the moves of the step concern, as in tasker.workflow_steps.';
comment on column tasker.named_tasks_named_steps.join_mode is
  'The rule for when a step runs. When all parents have settled, the mode all needs all edges satisfied, any needs one satisfied edge, and settled accepts any outcome. The mode first needs one satisfied edge, whatever the other parents do.';

comment on column tasker.named_tasks_named_steps.await is
  'The wait of a step without a handler. Null if a handler runs the step.';
comment on column tasker.named_tasks_named_steps.for_each is
  'The array that a map runs over, and how many of the map''s instances may run or fail. Null if the step is no map.';
comment on column tasker.named_tasks_named_steps.limit_no is
  'The limit that the steps wait for. limit_key is the path of their key in the task''s context or, with $inputs, in the step''s inputs. tasker.limit_handlers keeps the limit from being deleted.';
comment on column tasker.named_tasks_named_steps.limit_needs is
  'The units and further limits of the step, whether the step''s run holds them (hold), and the path and the maximum of the bound that a task gives its key (bound, bound_max). Null if the step needs one place of one limit whose bounds operators set.';
comment on column tasker.named_tasks_named_steps.start_within is
  'How many seconds the step may wait for a worker before it fails. Null without a bound.';
comment on column tasker.named_tasks_named_steps.total_parents is
  'The number of steps that this step depends on. The number is stored so that a creation need not count the edges.';

comment on column tasker.named_tasks_named_steps.compensate_uuid is
  'The handler that undoes the step. Null if the step has no compensation.';
