create table tasker.workflow_steps (
  task_uuid                uuid               not null,
  step_no                  integer            not null,
  workflow_step_uuid       uuid               not null,
  named_step_uuid          uuid               not null,
  name                     text               not null,
  state                    tasker.step_state  not null  default 'pending',
  join_mode                tasker.join_mode   not null  default 'all',
  total_parents            integer            not null  default 0,
  pending_parents          integer            not null  default 0,
  satisfied_parents        integer            not null  default 0,
  claim_no                 integer            not null  default 0,
  attempts                 integer            not null  default 0,
  max_attempts             integer            not null  default 3,
  lost_count               integer            not null  default 0,
  retryable                boolean            not null  default true,
  effects                  smallint           not null  default 0,
  priority                 integer            not null  default 0,
  transition_count         integer            not null  default 0,
  moved_at                 timestamptz        not null  default tasker.clock(),
  timeout_seconds          integer,
  backoff_base_seconds     tasker.backoff_base,
  backoff_multiplier       tasker.backoff_multiplier,
  max_backoff_seconds      tasker.backoff_limit,
  backoff_request_seconds  double precision,
  created_at               timestamptz        not null  default tasker.clock(),
  last_attempted_at        timestamptz,
  last_failure_at          timestamptz,
  next_retry_at            timestamptz,
  lease_until              timestamptz,
  lease_seconds            integer,
  processed_at             timestamptz,
  worker_uuid              uuid,
  claim_login              text,
  claim_role               text,
  last_error               text,
  inputs                   jsonb              not null  default '{}',
  await                    jsonb,
  for_each                 jsonb,
  map_no                   integer,
  expansion                jsonb,
  results                  jsonb,
  checkpoint               jsonb,
  function_state           jsonb,
  wait                     jsonb,
  function_round           integer,
  child_task_uuid          uuid,
  child_task_uuids         uuid[],
  limit_no                 integer,
  limit_key                text,
  compensate_uuid          uuid,
  undo_no                  integer,
  undo_level               integer,
  undo_next                integer,
  effect_uuid              uuid,
  owner_uuid               uuid,

  constraint workflow_steps_pkey
    primary key (task_uuid, step_no),
  constraint workflow_steps_row_check
    check (tasker.check_step_row(
      state, join_mode, total_parents, pending_parents, satisfied_parents, claim_no, attempts, lost_count,
      backoff_request_seconds, next_retry_at, lease_until, processed_at
    ))
) partition by range (task_uuid);

comment on table tasker.workflow_steps is
  'One step of a task. Its current state is here, its history in tasker.workflow_step_transition_log.';
comment on column tasker.workflow_steps.workflow_step_uuid is
  'The task''s UUID with step_no in the last 16 bits. The column has no index, because functions split the UUID and use the key.';
comment on column tasker.workflow_steps.name is
  'The name of the step in the template. Its children find its results under this name.';
comment on column tasker.workflow_steps.pending_parents is
  'The number of parents that have not settled yet.';
comment on column tasker.workflow_steps.satisfied_parents is
  'The number of satisfied edges from settled parents: the parent succeeded and the edge''s condition is true.';
comment on column tasker.workflow_steps.claim_no is
  'The number of the newest claim. Every claim increases it, and nothing resets it. Results of an earlier claim are refused by this number.';
comment on column tasker.workflow_steps.attempts is
  'The attempts that count towards max_attempts. An attempt does not count if its worker was lost or handed the step back. Operators reset the number.';
comment on column tasker.workflow_steps.backoff_request_seconds is
  'The wait that a worker asked for with its failure. It overrides the template''s policy.';
comment on column tasker.workflow_steps.lease_seconds is
  'The length of the lease that the step''s worker last asked for. After the server was unreachable, the worker has this time to renew its lease.';
comment on column tasker.workflow_steps.await is
  'The wait of a step without a handler: the alternatives (any) or the task that the step starts (task), a timeout in seconds with its consequence, and the person who answers. Null if a handler runs the step.';
comment on column tasker.workflow_steps.for_each is
  'The array that a map runs over, as a path in the context or in the result of a step, with max_parallel and allow_failures. The instances of the map are the steps whose map_no is the map''s number. Null if the step is no map.';
comment on column tasker.workflow_steps.map_no is
  'The number of the map that an instance belongs to. Null for other steps.';
comment on column tasker.workflow_steps.expansion is
  'The progress of a map, null until the map begins. elements is the number of elements of its array, and expanded the number of elements that have an instance. source is the parent that has the array. If the source is a map, last_no is the last step of the source that was read. parents and satisfied are the map''s own counters, before its instances counted as parents. others is the number of steps of the task that are no instances of this map, when they were last counted.';
comment on column tasker.workflow_steps.wait is
  'The last wait of the handler, with the claim under which the wait began (tasker.step_wait). Null if the handler has not waited.';
comment on column tasker.workflow_steps.function_round is
  'The number of times that the step''s durable function has continued with a new state. Null if the function has kept nothing, so that a claim need not query for kept results.';
comment on column tasker.workflow_steps.claim_login is
  'The login role of the newest claim. claim_role is the role that this login had set. The log names the roles of a result only if they differ.';
comment on column tasker.workflow_steps.effects is
  'The features that the step''s moves concern, one bit for each (tasker.step_effects). If the value is 0, the engine calls no feature for the step.';
comment on column tasker.workflow_steps.limit_no is
  'The limit that the step waits for when it is enqueued. limit_key is the step''s key in this limit. Both are null without a limit.';
comment on column tasker.workflow_steps.transition_count is
  'The number of transitions so far, and thus the sort_key of the newest row in the log.';

comment on column tasker.workflow_steps.moved_at is
  'The time of the step''s newest transition or count. The next transition is never dated before this time.';

comment on column tasker.workflow_steps.child_task_uuid is
  'The task that the step started last. Retention may have dropped this task since.';

comment on column tasker.workflow_steps.child_task_uuids is
  'The tasks that the step''s durable function has started in its present round, in order.';

comment on column tasker.workflow_steps.compensate_uuid is
  'The handler that undoes the step if its task fails or is cancelled. Null if the step has no compensation.';
comment on column tasker.workflow_steps.undo_no is
  'The number of the step that this compensation undoes. Null for the steps of the graph.';
comment on column tasker.workflow_steps.undo_level is
  'Null until the task is undone. 0 if the step was in progress at that time. Such a step is not tried again. A number above 0 is a level: the step has to be undone, and the highest level comes first.';
comment on column tasker.workflow_steps.undo_next is
  'The number of the step that is undone after this step, of the same level or of the next lower level. The start of a level thus need not read the other levels. Null for the last step.';
comment on column tasker.workflow_steps.effect_uuid is
  'The step that had the effect, if a fork took over that step''s result. Null if this step itself had the effect. The compensation gets this UUID.';
comment on column tasker.workflow_steps.owner_uuid is
  'The step of another task that undoes the effect. Null if this task undoes it.';
