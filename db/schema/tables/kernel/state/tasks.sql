create table tasker.tasks (
  task_uuid              uuid               not null,
  named_task_uuid        uuid               not null,
  state                  tasker.task_state  not null  default 'pending',
  complete               boolean            not null  default false,
  has_added_edges        boolean            not null  default false,
  priority               integer            not null  default 0,
  total_steps            integer            not null  default 0,
  open_steps             integer            not null  default 0,
  active_steps           integer            not null  default 0,
  retrying_steps         integer            not null  default 0,
  suspended_steps        integer            not null  default 0,
  failed_steps           integer            not null  default 0,
  transition_count       integer            not null  default 0,
  requested_at           timestamptz        not null  default tasker.clock(),
  updated_at             timestamptz        not null  default tasker.clock(),
  started_at             timestamptz,
  completed_at           timestamptz,
  deadline               timestamptz,
  processor_uuid         uuid,
  correlation_id         uuid               not null,
  parent_correlation_id  uuid,
  identity_hash          bytea,
  initiator              text,
  login                  text,
  role                   text,
  source_system          text,
  reason                 text,
  tags                   text[]             not null  default '{}',
  headers                jsonb              not null  default '{}',
  context                jsonb              not null  default '{}',
  parent_step_uuid       uuid,
  depth                  integer            not null  default 0,
  undo                   jsonb,
  creator_namespaces     text[],
  erased_at              timestamptz,

  constraint tasks_pkey
    primary key (task_uuid),
  constraint tasks_row_check
    check (tasker.check_task_row(
      task_uuid, state, complete, total_steps, open_steps, active_steps, retrying_steps, suspended_steps, failed_steps,
      completed_at, headers, context
    ))
) partition by range (task_uuid);

create index tasks_open_idx
  on tasker.tasks (task_uuid)
  where not complete;

create index tasks_template_idx
  on tasker.tasks (named_task_uuid, task_uuid);

create index tasks_correlation_idx
  on tasker.tasks (correlation_id);

create index tasks_parent_correlation_idx
  on tasker.tasks (parent_correlation_id)
  where parent_correlation_id is not null;

create index tasks_tags_idx
  on tasker.tasks using gin (tags)
  where tags <> '{}';

comment on index tasker.tasks_open_idx is
  'Serves retention, which must know whether a range has open tasks, and the checks of health and staleness. A task leaves the index only once, at its end. All other updates stay HOT.';
comment on index tasker.tasks_template_idx is
  'Serves lists of a template''s tasks, newest first.';
comment on index tasker.tasks_correlation_idx is
  'Serves tracing: the tasks of one request.';
comment on index tasker.tasks_parent_correlation_idx is
  'Serves tracing: the tasks that a request''s tasks caused.';
comment on index tasker.tasks_tags_idx is
  'Serves lists by tag. Tasks without tags have no entry, and no update changes tags.';

comment on table tasker.tasks is
  'One run of a template. Its current state is here, its history in tasker.task_transition_log.';
comment on column tasker.tasks.task_uuid is
  'A UUID of version 7 whose last 16 bits are zero. The UUIDs of the task''s steps have the step''s number in these bits. Partitions are ranges of this UUID, and therefore ranges of time.';
comment on column tasker.tasks.complete is
  'Whether the task has ended, in any way.';
comment on column tasker.tasks.has_added_edges is
  'Whether the task has rows in tasker.added_step_edges, or has a map that will have rows there. Queries skip that table for all other tasks.';
comment on column tasker.tasks.open_steps is
  'The number of steps that are neither done nor failed.';
comment on column tasker.tasks.active_steps is
  'The number of steps in the processing pipeline: enqueued, in progress, or with a result that waits to be processed.';
comment on column tasker.tasks.suspended_steps is
  'The number of steps that wait for a signal, a time or another task, without a worker.';
comment on column tasker.tasks.transition_count is
  'The number of transitions so far, and thus the sort_key of the newest row in the log.';
comment on column tasker.tasks.processor_uuid is
  'The processor of the newest transition into an active state. Null in other states.';

comment on column tasker.tasks.login is
  'The role that was logged in when the task was created, with the role that it had set in "role" if that is another. The column initiator has the name that the caller gave.';

comment on column tasker.tasks.parent_step_uuid is
  'The step that started this task and waits for it. With zeros in its last 16 bits, this UUID is the UUID of that step''s task.';
comment on column tasker.tasks.depth is
  'The number of tasks that are above this task. 0 unless a step of another task started it.';

comment on column tasker.tasks.undo is
  'Null if no step of the task has a compensation. While the task is undone: the phase, the event that asked for it, the reason and actor of that event, and the progress. In the phase drain, steps in progress end. In the phase undo, compensations run. The last phase is done.';

comment on column tasker.tasks.creator_namespaces is
  'The namespaces in which this task''s steps may start tasks. The session that created the task or set its schedule was bound to these namespaces at that time. The present bindings of its login and role restrict the tasks further. Null means no restriction.';

comment on column tasker.tasks.erased_at is
  'The time when the task''s data was erased (tasker.erasures). Null if it was not erased.';
