-- runs: tasks, steps, their history, and the small hot tables beside them
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/state/private/check_task_row.sql
create or replace function tasker.check_task_row(
  p_task_uuid        uuid,
  p_state            tasker.task_state,
  p_complete         boolean,
  p_total_steps      integer,
  p_open_steps       integer,
  p_active_steps     integer,
  p_retrying_steps   integer,
  p_suspended_steps  integer,
  p_failed_steps     integer,
  p_completed_at     timestamptz,
  p_headers          jsonb,
  p_context          jsonb
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- The rules are grouped by the state, as in tasker.check_step_row.
  if least(
       p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
       p_open_steps - p_active_steps - p_retrying_steps - p_suspended_steps,
       p_total_steps - p_open_steps - p_failed_steps,
       65535 - p_total_steps
     ) >= 0
     and tasker.is_task_uuid(p_task_uuid)
     and p_headers @> '{}'
     and p_context @> '{}' then
    if not p_complete then
      if p_completed_at is null and p_state not in ('complete', 'error', 'cancelled', 'resolved_manually') then
        return true;
      end if;
    elsif p_state = 'complete' then
      if p_completed_at is not null and p_open_steps = 0 and p_failed_steps = 0 then
        return true;
      end if;
    elsif p_state in ('error', 'cancelled', 'resolved_manually') and p_completed_at is not null
      and p_active_steps = 0 and p_retrying_steps = 0 and p_suspended_steps = 0 then
      return true;
    end if;
  end if;

  -- A rule whose value is null is satisfied, as in any CHECK.
  v_rule := case
    when not tasker.is_task_uuid(p_task_uuid) then 'task_uuid'
    when least(
           p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
           p_open_steps - p_active_steps - p_retrying_steps - p_suspended_steps,
           p_total_steps - p_open_steps - p_failed_steps,
           65535 - p_total_steps
         ) < 0 then 'counters'
    when p_state = 'complete' and (p_open_steps <> 0 or p_failed_steps <> 0) then 'complete_has_no_open_steps'
    when p_complete and (p_active_steps <> 0 or p_retrying_steps <> 0 or p_suspended_steps <> 0) then 'ended_has_no_active_steps'
    when p_complete <> (p_state in ('complete', 'error', 'cancelled', 'resolved_manually')) then 'complete'
    when p_complete <> (p_completed_at is not null) then 'completed_at'
    when jsonb_typeof(p_headers) <> 'object' then 'headers'
    when jsonb_typeof(p_context) <> 'object' then 'context'
  end;
  if v_rule is null then
    return true;
  end if;
  v_rule := 'tasks_' || v_rule || '_check';
  raise exception using
    errcode    = '23514',
    message    = format('new row for relation "tasks" violates check constraint "%s"', v_rule),
    detail     = format(
      'task %s: state %s, steps %s, open %s, active %s, retrying %s, suspended %s, failed %s, completed at %s',
      p_task_uuid, p_state, p_total_steps, p_open_steps, p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
      coalesce(p_completed_at::text, 'null')
    ),
    schema     = 'tasker',
    table      = 'tasks',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_task_row is
$$CHECK constraint of tasker.tasks with all rules of a row. Returns true, or raises 23514 with the name of the broken rule.

The rules are in one function without a search_path, for the reasons given at tasker.check_step_row.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/check_step_row.sql
create or replace function tasker.check_step_row(
  p_state                    tasker.step_state,
  p_join_mode                tasker.join_mode,
  p_total_parents            integer,
  p_pending_parents          integer,
  p_satisfied_parents        integer,
  p_claim_no                 integer,
  p_attempts                 integer,
  p_lost_count               integer,
  p_backoff_request_seconds  double precision,
  p_next_retry_at            timestamptz,
  p_lease_until              timestamptz,
  p_processed_at             timestamptz
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- The rules of the row's state are expressions of their own, because a transaction prepares only the expressions that
  -- it reaches.
  if least(
       p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents,
       p_attempts, p_lost_count, p_claim_no
     ) >= 0
     and coalesce(p_backoff_request_seconds >= 0, true) then
    if p_lease_until is null and p_next_retry_at is null and p_processed_at is null then
      if p_state not in ('in_progress', 'waiting_for_retry', 'complete', 'resolved_manually') and (
           p_pending_parents = 0 or p_state in ('pending', 'error', 'cancelled') or p_join_mode = 'first' and p_satisfied_parents > 0
         ) then
        return true;
      end if;
    elsif p_state = 'in_progress' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0)
         and p_lease_until is not null and p_next_retry_at is null and p_processed_at is null then
        return true;
      end if;
    elsif p_state = 'complete' then
      if p_processed_at is not null and p_lease_until is null and p_next_retry_at is null then
        return true;
      end if;
    elsif p_state = 'waiting_for_retry' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0)
         and p_next_retry_at is not null and p_lease_until is null and p_processed_at is null then
        return true;
      end if;
    end if;
  end if;

  -- A rule whose value is null is satisfied, as in any CHECK.
  v_rule := case
    when least(
           p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents
         ) < 0 then 'parents'
    when p_pending_parents <> 0
     and p_state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
     and (p_join_mode <> 'first' or p_satisfied_parents = 0) then 'runs_after_its_parents'
    when least(p_attempts, p_lost_count, p_claim_no) < 0 then 'attempts'
    when (p_lease_until is not null) <> (p_state = 'in_progress') then 'lease'
    when (p_next_retry_at is not null) <> (p_state = 'waiting_for_retry') then 'retry'
    when (p_processed_at is not null) <> (p_state in ('complete', 'resolved_manually')) then 'processed_at'
    when p_backoff_request_seconds < 0 then 'backoff'
  end;
  if v_rule is null then
    return true;
  end if;
  v_rule := 'workflow_steps_' || v_rule || '_check';
  raise exception using
    errcode    = '23514',
    message    = format('new row for relation "workflow_steps" violates check constraint "%s"', v_rule),
    detail     = format(
      'state %s, parents %s of which %s are pending and %s satisfied, claim %s, attempt %s, lost %s times',
      p_state, p_total_parents, p_pending_parents, p_satisfied_parents, p_claim_no, p_attempts, p_lost_count
    ),
    schema     = 'tasker',
    table      = 'workflow_steps',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_step_row is
$$CHECK constraint of tasker.workflow_steps with the rules of the columns that change. Returns true, or raises 23514 with the name of the broken rule. tasker.check_new_steps has the rules of the columns that never change.

The rules are in one function instead of one expression for each rule, because PostgreSQL parses a CHECK again in every statement that writes the table. Each column that the CHECK names costs such a statement 4,000 instructions. A CHECK of the whole row would name no column, but would form a value of 57 columns for each row that is written, which makes writing sets of steps a tenth more expensive. Because of the cost, the function also sets no search_path. That is safe, because the function uses only operators of pg_catalog, and only the table's owner can run it.$$;
-- <<<

-- >>> db/schema/tables/kernel/state/tasks.sql
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
-- <<<

-- >>> db/schema/tables/kernel/state/workflow_steps.sql
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
-- <<<

-- >>> db/schema/tables/kernel/graph/added_step_edges.sql
create table tasker.added_step_edges (
  task_uuid     uuid      not null,
  from_step_no  integer   not null,
  to_step_no    integer   not null,
  name          text      not null  default 'provides',
  condition     jsonpath,

  constraint added_step_edges_pkey
    primary key (task_uuid, from_step_no, to_step_no),
  constraint added_step_edges_no_self_edge_check
    check (from_step_no <> to_step_no)
) partition by range (task_uuid);

create index added_step_edges_parents_idx
  on tasker.added_step_edges (task_uuid, to_step_no, from_step_no);

comment on index tasker.added_step_edges_parents_idx is
  'Serves queries from a step to its parents: their results at a claim, readiness.';

comment on table tasker.added_step_edges is
  'The dependencies that were added to a running task. The view tasker.workflow_step_edges also has the dependencies of the task''s template. Both ends of a dependency are steps of the same task, which the key and a trigger ensure in place of foreign keys. The inserting functions refuse cycles.';
comment on column tasker.added_step_edges.condition is
  'A predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
-- <<<

-- >>> db/schema/tables/kernel/state/task_log.sql
create table tasker.task_log (
  task_uuid       uuid              not null,
  sort_key        integer           not null,
  path            tasker.task_path  not null,
  created_at      timestamptz       not null  default tasker.clock(),
  xact            bigint            not null  default pg_current_xact_id()::text::bigint,
  processor_uuid  uuid,
  actor           text,
  login           text,
  role            text,
  reason          text,
  metadata        jsonb,
  outcome         jsonb,

  constraint task_log_pkey
    primary key (task_uuid, sort_key)
) partition by range (task_uuid);

create index task_log_created_idx
  on tasker.task_log using brin (created_at, xact) with (pages_per_range = 32);

create index task_log_ended_idx
  on tasker.task_log ((path / 1000), task_uuid)
  where path >= 1000;

comment on index tasker.task_log_created_idx is
  'Serves the rollups: transitions of tasks since the last one. The transaction number serves the feed. A BRIN index suffices, because rows are inserted in the order of both columns.';
comment on index tasker.task_log_ended_idx is
  'Serves lists of the tasks that failed, were cancelled or resolved by hand, newest first. The index is on the log because rows of the log never change. An index on the state of tasks would cost every transition.';

comment on table tasker.task_log is
  'The history of each task. Each row is a path: one or more transitions that one call made for the task (tasker.task_log_paths). Rows are inserted once and never changed. The view tasker.task_transition_log shows each transition.';
comment on column tasker.task_log.sort_key is
  'The sort_key of the path''s last transition. The sort_key of the newest row is the task''s transition_count.';
comment on column tasker.task_log.actor is
  'The name that a direct caller or operator gives. Null if the engine moved the task.';
comment on column tasker.task_log.login is
  'The role that was logged in (session_user), with the role that it had set in "role" if that is another. Null means the login of the row before or, in the first row, the login at the creation.';
comment on column tasker.task_log.metadata is
  'The metadata of the transition if the path has only one. If the path has more transitions, the steps that ended.';
comment on column tasker.task_log.outcome is
  'The steps that a path of several transitions enqueued, or the failures with which it ended.';
comment on column tasker.task_log.xact is
  'The transaction that wrote the row. The feed uses this number to decide whether a snapshot sees the row.';
-- <<<

-- >>> db/schema/tables/kernel/state/step_log.sql
create table tasker.step_log (
  task_uuid          uuid              not null,
  step_no            integer           not null,
  sort_key           integer           not null,
  path               tasker.step_path  not null,
  claim_no           integer           not null  default 0,
  created_at         timestamptz       not null  default tasker.clock(),
  xact               bigint            not null  default pg_current_xact_id()::text::bigint,
  execution_time_ms  tasker.log_duration,
  worker_uuid        uuid,
  actor              text,
  login              text,
  role               text,
  reason             text,
  result_digest      bytea,
  metadata           jsonb,

  constraint step_log_pkey
    primary key (task_uuid, step_no, sort_key)
) partition by range (task_uuid);

create index step_log_created_idx
  on tasker.step_log using brin (created_at, xact) with (pages_per_range = 32);

create index step_log_failed_idx
  on tasker.step_log (created_at)
  where path >= 1000;

create index step_log_correlation_idx
  on tasker.step_log (lower(metadata ->> 'correlation_id'))
  where metadata ->> 'correlation_id' is not null;

comment on index tasker.step_log_created_idx is
  'Serves the rollups (transitions of steps since the last one) and audit reports over a range of time. The transaction number serves the feed. A BRIN index suffices, because rows are inserted in the order of both columns.';
comment on index tasker.step_log_failed_idx is
  'Serves reports of failures over a range of time, newest first, without reading the successes.';

comment on index tasker.step_log_correlation_idx is
  'Serves the audit of a correlation id: results whose metadata name it. The index has only these rows.';

comment on table tasker.step_log is
  'The history of each step. Each row is a path: one or more transitions that one call made for the step (tasker.step_log_paths). Rows are inserted once and never changed. The view tasker.workflow_step_transition_log shows each transition.';
comment on column tasker.step_log.sort_key is
  'The sort_key of the path''s last transition. The sort_key of the newest row is the step''s transition_count.';
comment on column tasker.step_log.claim_no is
  'The step''s claim number at the transition. It shows which claim a result or a loss belongs to.';
comment on column tasker.step_log.actor is
  'The name that a direct caller or operator gives. Null if the engine moved the step.';
comment on column tasker.step_log.login is
  'The role that was logged in (session_user), with the role that it had set in "role" if that is another. Null means the login of the row before or, in the first row, the login at the task''s creation.';
comment on column tasker.step_log.result_digest is
  'tasker.result_digest of the result that came with the path.';
comment on column tasker.step_log.metadata is
  'The metadata of the path''s first transition: an error, or the metadata that a caller adds.';
comment on column tasker.step_log.xact is
  'The transaction that wrote the row. The feed uses this number to decide whether a snapshot sees the row.';
-- <<<

-- >>> db/schema/views/kernel/state/task_transition_log.sql
create or replace view tasker.task_transition_log as
select
  l.task_uuid,
  l.sort_key - u.after as sort_key,
  u.event,
  u.from_state,
  u.to_state,
  l.processor_uuid,
  l.actor,
  case when u.position = 1 then l.login end as login,
  case when u.position = 1 then l.role end as role,
  l.reason,
  case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end as metadata,
  l.created_at,
  l.xact,
  l.sort_key as row_key
from tasker.task_log as l
join tasker.task_log_paths as u
  on u.path = l.path;

comment on view tasker.task_transition_log is
  'Every transition of a task: the rows of tasker.task_log, each as the transitions of its path. The sort_key of the newest transition is the task''s transition_count.';
comment on column tasker.task_transition_log.row_key is
  'The key of the log row. A query for one sort_key must also name this key, as "row_key between k and k + 4", because the log has no index on sort_key.';
-- <<<

-- >>> db/schema/views/kernel/state/workflow_step_transition_log.sql
create or replace view tasker.workflow_step_transition_log as
select
  l.task_uuid,
  l.step_no,
  l.sort_key - u.after as sort_key,
  u.event,
  u.from_state,
  u.to_state,
  l.claim_no,
  case when u.position = 1 then l.execution_time_ms end::bigint as execution_time_ms,
  case when u.position = 1 then l.worker_uuid end as worker_uuid,
  l.actor,
  case when u.position = 1 then l.login end as login,
  case when u.position = 1 then l.role end as role,
  l.reason,
  case when u.position = 1 then l.result_digest end as result_digest,
  case when u.position = 1 then l.metadata end as metadata,
  l.created_at,
  l.xact,
  l.sort_key as row_key
from tasker.step_log as l
join tasker.step_log_paths as u
  on u.path = l.path;

comment on view tasker.workflow_step_transition_log is
  'Every transition of a step: the rows of tasker.step_log, each as the transitions of its path. The sort_key of the newest transition is the step''s transition_count.';
comment on column tasker.workflow_step_transition_log.row_key is
  'The key of the log row. A query for one sort_key must also name this key, as "row_key between k and k + 1", because the log has no index on sort_key.';
-- <<<

-- >>> db/schema/tables/kernel/create/task_identities.sql
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
-- <<<

-- >>> db/schema/tables/kernel/queue/step_queue.sql
create table tasker.step_queue (
  task_uuid        uuid               not null,
  step_no          integer            not null,
  namespace        text               not null,
  lane             tasker.queue_lane  not null,
  named_step_uuid  uuid               not null,
  claim_no         integer            not null  default 0,
  visible_at       timestamptz        not null,
  limit_no         integer,
  limit_key        text,
  limit_lane       tasker.queue_lane,

  constraint step_queue_pkey
    primary key (task_uuid, step_no)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index step_queue_claim_idx
  on tasker.step_queue (namespace, lane, named_step_uuid, visible_at);

comment on index tasker.step_queue_claim_idx is
  'Serves claims. Claims find the oldest ready steps of a handler in a namespace''s lane, without reading running steps or the steps of other handlers. Claims also find running steps whose lease has ended.';

create index step_queue_limit_idx
  on tasker.step_queue (limit_no, limit_key, lane, named_step_uuid, limit_lane, visible_at)
  where limit_no is not null;

comment on index tasker.step_queue_limit_idx is
  'Serves limits: the running and the waiting steps of a key, by handler and lane.';

comment on table tasker.step_queue is
  'The steps that may run: one row for each step in the processing pipeline. The table is small, hot and not partitioned.';
comment on column tasker.step_queue.visible_at is
  'The time from which the row may be taken: the time when the step became ready or its result was recorded, or the end of its worker''s lease.';
comment on column tasker.step_queue.limit_no is
  'The limit that the step names. limit_key is the key in this limit, and limit_lane is the lane that the step would have without the limit. All three are null for most steps. No CHECK ensures that, because a CHECK would cost each statement that writes a row. The function tasker.check_integrity() checks it instead.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_keys.sql
create table tasker.limit_keys (
  limit_no    integer      not null,
  limit_key   text         not null,
  paid_until  timestamptz,

  constraint limit_keys_pkey
    primary key (limit_no, limit_key),
  constraint limit_keys_limit_key_check
    check (octet_length(limit_key) <= 1000)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.limit_keys is
  'One row for each key of a limit. A claim locks this row before it counts the running steps, so that two claims never give out the same place. Maintenance deletes the rows of idle keys.';
comment on column tasker.limit_keys.paid_until is
  'The one timestamp of the key''s rate (GCRA). Each start advances the timestamp by the interval between two starts. The timestamp is never further ahead of now than the burst allows.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_lines.sql
create table tasker.limit_lines (
  limit_no         integer      not null,
  limit_key        text         not null,
  named_step_uuid  uuid         not null,
  version          integer      not null,
  next_at          timestamptz  not null,

  constraint limit_lines_pkey
    primary key (limit_no, limit_key, named_step_uuid)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index limit_lines_due_idx
  on tasker.limit_lines (limit_no, named_step_uuid, version, next_at);

comment on index tasker.limit_lines_due_idx is
  'Serves claims: the open lines of a handler, without the closed lines. The line that was served longest ago comes first.';

comment on table tasker.limit_lines is
  'One row for each key and handler with steps that wait for a limit. Written only under the lock of the key''s row in tasker.limit_keys.';
comment on column tasker.limit_lines.version is
  'The version of the limit from which next_at was computed.';
comment on column tasker.limit_lines.next_at is
  'The time when a claim checks the line next. If the limit has free places, this is the time when the line was last served. If the rate delays the next start, this is the time of that start. While all places are taken, this is the end of the first lease, or infinity. Notes open the line earlier.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_notes.sql
create table tasker.limit_notes (
  limit_no         integer      not null,
  key_hash         integer      not null,
  limit_key        text         not null,
  note_no          bigint       not null  generated always as identity,
  named_step_uuid  uuid         not null,
  noted_at         timestamptz  not null,

  constraint limit_notes_pkey
    primary key (limit_no, key_hash, limit_key, note_no)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.limit_notes is
  'Notes of the changes to a key since a claim last checked the key: a step joined the key''s line, or gave its place back. Notes are written without a lock, so that completions never wait for each other. Claims fold the notes into the lines under the lock of the key.';
comment on column tasker.limit_notes.key_hash is
  'The hash of the key. A claim starts to read at a random hash, so that every key is checked sooner or later.';
comment on column tasker.limit_notes.noted_at is
  'The time since which claims should check the key. Open keys are served in the order of this time.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_input_bounds.sql
create table tasker.limit_input_bounds (
  limit_no     integer      not null,
  limit_key    text         not null,
  bound_no     bigint       not null  generated always as identity,
  concurrency  integer      not null,
  set_at       timestamptz  not null,

  constraint limit_input_bounds_pkey
    primary key (limit_no, limit_key, bound_no),
  constraint limit_input_bounds_limit_key_check
    check (octet_length(limit_key) <= 1000),
  constraint limit_input_bounds_concurrency_check
    check (concurrency between 1 and 1000000)
);

create index limit_input_bounds_old_idx
  on tasker.limit_input_bounds (set_at);

comment on index tasker.limit_input_bounds_old_idx is
  'Serves maintenance: the bounds that no task has set for a year.';

comment on table tasker.limit_input_bounds is
  'The bounds that the contexts of tasks give the keys of limits. The row with the largest number applies. Rows are only inserted, without a lock, so that creations never wait for each other. Each insertion deletes the older rows of its key.';
comment on column tasker.limit_input_bounds.concurrency is
  'The number of steps of the key that may run at once.';
comment on column tasker.limit_input_bounds.set_at is
  'The time when a task set the bound. A task that sets the same bound renews the row after 30 days.';
-- <<<

-- >>> db/schema/tables/kernel/timer/waiting_tasks.sql
create table tasker.waiting_tasks (
  task_uuid         uuid              not null,
  priority          integer           not null  default 0,
  waiting_since     timestamptz       not null  default tasker.clock(),
  dispatch_rank     double precision  not null  default extract(epoch from tasker.clock()) / -36000,
  discovered_until  timestamptz,

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

create index waiting_tasks_dispatch_idx
  on tasker.waiting_tasks (dispatch_rank desc, task_uuid)
  where discovered_until is null;

create index waiting_tasks_discovered_idx
  on tasker.waiting_tasks (discovered_until)
  where discovered_until is not null;

comment on index tasker.waiting_tasks_dispatch_idx is
  'Serves discovery and orchestrators: the next tasks by computed priority, without reading the tasks that are handed out.';
comment on index tasker.waiting_tasks_discovered_idx is
  'Serves the release of tasks whose discoverer did nothing.';

comment on table tasker.waiting_tasks is
  'Tasks whose start is deferred: only an orchestrator starts them. The table is small and not partitioned. A task that a direct call has touched is in timers instead, as advance_task.';
comment on column tasker.waiting_tasks.dispatch_rank is
  'Priority with age factored out, so that the order of two rows never changes with time. Computed by tasker.dispatch_rank, updated by maintenance.';
comment on column tasker.waiting_tasks.discovered_until is
  'The time until which the task is not handed out again. Null if the task is free.';
-- <<<

-- >>> db/schema/tables/compat/orchestrator/finalization_claims.sql
create table tasker.finalization_claims (
  task_uuid         uuid         not null,
  transition_count  integer      not null,
  claimed_at        timestamptz  not null,
  claimed_until     timestamptz  not null,
  processor_uuid    uuid         not null,

  constraint finalization_claims_pkey
    primary key (task_uuid)
);

create index finalization_claims_until_idx
  on tasker.finalization_claims (claimed_until);

comment on index tasker.finalization_claims_until_idx is
  'Serves the deletion of claims that ended long ago.';

comment on table tasker.finalization_claims is
  'Tasks whose finalisation an orchestrator has claimed. The table stays small and is not partitioned, because claims delete old rows.';
comment on column tasker.finalization_claims.transition_count is
  'The number of transitions of the task at the time of the claim. The next move of the task ends the claim.';
-- <<<

-- >>> db/schema/tables/kernel/timer/timers.sql
create table tasker.timers (
  task_uuid  uuid               not null,
  step_no    integer            not null  default 0,
  kind       tasker.timer_kind  not null,
  due_at     timestamptz        not null,
  xact       bigint             not null  default pg_current_xact_id()::text::bigint,
  namespace  text               not null  default '',

  constraint timers_pkey
    primary key (task_uuid, step_no, kind),
  constraint timers_step_no_check
    check ((step_no > 0) = (kind in ('retry_step', 'end_wait', 'expand_map', 'start_child', 'cancel_child', 'match_wait', 'end_race', 'start_within')) or kind = 'cancel_child')
) with (fillfactor = 80);

create index timers_due_idx
  on tasker.timers (due_at);

comment on index tasker.timers_due_idx is
  'Serves the firing of due timers, and shows how long a client may sleep.';

create index timers_turn_idx
  on tasker.timers (namespace, due_at);

comment on index tasker.timers_turn_idx is
  'Serves the turns of namespaces while more timers are due than a call fires.';

create index timers_end_idx
  on tasker.timers (namespace, due_at)
  where kind in ('cancel_child', 'task_deadline');

comment on index tasker.timers_end_idx is
  'Serves the same turns: timers that end work go before timers that start more work.';

create index timers_start_xact_idx
  on tasker.timers (xact)
  where kind = 'start_task' and xact is not null;

comment on index tasker.timers_start_xact_idx is
  'Serves the feed: tasks that were created to start later. The second condition keeps queries that only name the kind from using this index. With the statistics of an empty table, they would read the index from end to end.';

comment on table tasker.timers is
  'Events that are due later: a task''s start, a step''s next attempt, the end of the time that a step may wait for a worker, a task''s deadline, the end of a step''s wait, the next instances of a map, a schedule''s next tick. Notes are timers, too. A note between tasks starts the task of a step, reports the end of a task to its parent, or cancels the task of a step. Other notes undo a task, cancel the steps that a step with join: first did not wait for, or match broadcasts with waits. The table is not partitioned.';

comment on column tasker.timers.task_uuid is
  'The UUID of the task. For fire_schedule the UUID of the schedule, which is above the UUIDs of all tasks. For deliver_event the UUID of the event.';

comment on column tasker.timers.xact is
  'The transaction that wrote the row.';
comment on column tasker.timers.namespace is
  'The namespace in whose turn the timer fires if many timers are due. If the writer named no namespace, this is empty and the timer fires in every turn.';
-- <<<

-- >>> db/schema/tables/features/children/full_trees.sql
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
-- <<<

-- >>> db/schema/tables/features/runs/runs.sql
create table tasker.runs (
  task_uuid        uuid         not null,
  named_task_uuid  uuid         not null,
  namespace        text         not null,
  name             text         not null,
  run_key          text         not null,
  state            text         not null  default 'waiting',
  rank             integer      not null  default 0,
  line_at          timestamptz  not null  default tasker.clock(),
  line_no          bigint       not null  generated always as identity,
  run_at           timestamptz,

  constraint runs_pkey
    primary key (task_uuid),
  constraint runs_state_check
    check (state in ('waiting', 'running', 'ended'))
) with (fillfactor = 80);

create index runs_line_idx
  on tasker.runs (namespace, name, run_key, state, rank desc, line_at, line_no);

comment on index tasker.runs_line_idx is
  'Serves the start of the next task of a key, and the count of the running tasks of the key.';

create index runs_running_idx
  on tasker.runs (run_at)
  where state = 'running';

comment on index tasker.runs_running_idx is
  'Serves the search of incidents for failed tasks that block their sequence. Such a task is among the tasks that have had their place longest.';

comment on table tasker.runs is
  'The open tasks of templates that bound their runs by key, and the failed tasks that block their sequence. A row is written under the task''s lock. A waiting task starts under the lock of its key (tasker.lock_run_key). The table is not partitioned.';
comment on column tasker.runs.name is
  'The name of the template. All versions of the template share the key.';
comment on column tasker.runs.state is
  'waiting: the task is in line. running: the task has one of the key''s places. ended: the task has given its place back, and the note that starts the next task (serve_run) has not been fired yet.';
comment on column tasker.runs.rank is
  'The rank of the task in the line: its priority, or 0 if the line is in the order of creation. Tasks of the same rank are in the order of time.';
comment on column tasker.runs.line_at is
  'The time when the task got in line. For a task that starts later, the requested time of its start.';
comment on column tasker.runs.line_no is
  'The order of the tasks that got in line at the same time.';
comment on column tasker.runs.run_at is
  'The time when the task got its place.';
-- <<<

-- >>> db/schema/tables/kernel/timer/failed_timers.sql
create table tasker.failed_timers (
  task_uuid  uuid               not null,
  step_no    integer            not null,
  kind       tasker.timer_kind  not null,
  due_at     timestamptz        not null,
  failures   integer            not null  default 1,
  code       text               not null,
  error      text               not null,
  failed_at  timestamptz        not null,

  constraint failed_timers_pkey
    primary key (task_uuid, step_no, kind)
);

comment on table tasker.failed_timers is
  'Timers whose firing failed, with the last error. A row counts while tasker.timers has the timer with the same due_at. All other rows are left over, and the next failure deletes them.';
-- <<<

-- >>> db/schema/tables/features/waits/waits.sql
create table tasker.waits (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  wait_no          integer      not null,
  signal           text,
  event            text,
  event_key        text,
  counts_from      timestamptz,
  namespace        text         not null,
  named_task_uuid  uuid         not null,
  first            boolean      not null,
  waiting_since    timestamptz  not null,
  due_at           timestamptz,
  assignee         text,

  constraint waits_pkey
    primary key (task_uuid, step_no, wait_no),
  constraint waits_row_check
    check (num_nonnulls(signal, event) = 1 and num_nulls(event, event_key, counts_from) in (0, 3))
);

create index waits_inbox_idx
  on tasker.waits (namespace, waiting_since, task_uuid, step_no)
  where first;

create index waits_signal_idx
  on tasker.waits (namespace, signal, waiting_since, task_uuid, step_no)
  where signal is not null;

create index waits_event_idx
  on tasker.waits (namespace, event, event_key, task_uuid, step_no, wait_no)
  where event is not null;

create index waits_assignee_idx
  on tasker.waits (namespace, assignee, waiting_since, task_uuid, step_no)
  where first and assignee is not null;

comment on index tasker.waits_inbox_idx is
  'Serves the inbox of a namespace, with the longest wait first and each step only once.';
comment on index tasker.waits_signal_idx is
  'Serves the inbox by the name of a signal.';
comment on index tasker.waits_event_idx is
  'Serves the delivery of an event, in the order of the steps, and the inbox by the name of an event.';
comment on index tasker.waits_assignee_idx is
  'Serves the inbox of one assignee.';

comment on table tasker.waits is
  'The signals and events that suspended steps wait for: one row for each name of a signal, and for each alternative that is an event. Rows are written and deleted under the task''s lock. The table is not partitioned.';
comment on column tasker.waits.wait_no is
  'The number of the alternative, from 1. If several alternatives name the same signal, this is the first of them.';
comment on column tasker.waits.event_key is
  'The key of the event, as it was read from the context when the wait began. Empty for events without a key.';
comment on column tasker.waits.counts_from is
  'The time from which events end the wait: the beginning of the wait, or an earlier time if the wait looks back.';
comment on column tasker.waits.first is
  'True in one row of each step. Queries that count steps, not signals, read only these rows.';
comment on column tasker.waits.due_at is
  'The time that ends the wait. The timer in tasker.timers ends the wait at this time. Null if only a signal or an event ends it.';
-- <<<

-- >>> db/schema/tables/features/broadcasts/broadcasts.sql
create table tasker.broadcasts (
  event_uuid        uuid         not null  default tasker.uuid_generate_v7(),
  namespace         text         not null,
  name              text         not null,
  key               text         not null,
  payload           jsonb        not null,
  idempotency_key   text,
  sent_by           text         not null,
  sent_at           timestamptz  not null,
  delivered_at      timestamptz,
  passed_task_uuid  uuid         not null  default '00000000-0000-0000-0000-000000000000',
  passed_step_no    integer      not null  default 0,
  reacts            boolean      not null  default false,

  constraint broadcasts_pkey
    primary key (event_uuid),
  constraint broadcasts_idempotency_key_key
    unique (namespace, name, idempotency_key)
) with (fillfactor = 80);

create index broadcasts_kept_idx
  on tasker.broadcasts (namespace, name, key, sent_at, event_uuid);

create index broadcasts_sent_idx
  on tasker.broadcasts (sent_at, event_uuid);

create index broadcasts_due_idx
  on tasker.broadcasts (namespace, name, key, sent_at, event_uuid)
  where delivered_at is null;

comment on index tasker.broadcasts_kept_idx is
  'Serves the beginning of a wait: the events that the wait may take, oldest first.';
comment on index tasker.broadcasts_sent_idx is
  'Serves the list of events, newest first, and their retention.';
comment on index tasker.broadcasts_due_idx is
  'Serves the delivery of events that have not reached all waits yet. Each wait takes the oldest event.';

comment on table tasker.broadcasts is
  'The events that tasker.emit_event has sent to all steps that wait for them. Events are kept for the time in the setting "event_hours", for waits that look back. A note in tasker.timers delivers each event after its transaction has committed. The table is not partitioned.';
comment on column tasker.broadcasts.sent_by is
  'The role that emitted the event. For a request through tasker serve, this is the name of its token.';
comment on column tasker.broadcasts.sent_at is
  'The time when tasker.emit_event was called. Its transaction may have committed much later.';
comment on column tasker.broadcasts.delivered_at is
  'The time when all waiting steps had received the event. Null if some steps have not received it yet.';
comment on column tasker.broadcasts.reacts is
  'Whether a template of the namespace names the event. If so, the trigger broadcasts_react cancels and starts tasks.';
comment on column tasker.broadcasts.passed_task_uuid is
  'The task of the last wait that the delivery has reached, in the order of the waits.';
-- <<<

-- >>> db/schema/tables/features/broadcasts/broadcast_receipts.sql
create table tasker.broadcast_receipts (
  event_uuid   uuid         not null,
  task_uuid    uuid         not null,
  step_no      integer      not null,
  received_at  timestamptz  not null,

  constraint broadcast_receipts_pkey
    primary key (event_uuid, task_uuid, step_no)
);

comment on table tasker.broadcast_receipts is
  'The events that each step took, so that a step gets an event only once even if it waits several times. Rows are written under the task''s lock and deleted with the event. The table is not partitioned.';
-- <<<

-- >>> db/schema/tables/features/triggers/event_triggers.sql
create table tasker.event_triggers (
  named_task_uuid  uuid      not null,
  trigger_no       integer   not null,
  action           text      not null,
  namespace        text      not null,
  event            text      not null,
  event_key        text,
  condition        text,
  context          jsonb,
  identity         text,

  constraint event_triggers_pkey
    primary key (named_task_uuid, trigger_no),
  constraint event_triggers_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint event_triggers_action_check
    check (action in ('cancel', 'start'))
);

create index event_triggers_event_idx
  on tasker.event_triggers (namespace, event);

comment on index tasker.event_triggers_event_idx is
  'Serves tasker.emit_event: the templates that an event concerns.';

comment on table tasker.event_triggers is
  'The events that start tasks of a version of a template (start_on) or cancel them (cancel_on). The rows repeat a part of the version''s content, so that it can be searched by event.';
comment on column tasker.event_triggers.event_key is
  'The key that an event must have. Null means any key.';
comment on column tasker.event_triggers.condition is
  'A jsonpath predicate on the payload. Null means any payload.';
comment on column tasker.event_triggers.context is
  'The context of the task, with paths of the payload. Null means the whole payload.';
comment on column tasker.event_triggers.identity is
  'A path of the payload that leads to the identity key of the task, or the key itself. Null means the key of the event.';
-- <<<

-- >>> db/schema/tables/features/broadcasts/broadcast_retries.sql
create table tasker.broadcast_retries (
  event_uuid  uuid         not null,
  task_uuid   uuid         not null,
  step_no     integer      not null,
  due_at      timestamptz  not null,

  constraint broadcast_retries_pkey
    primary key (event_uuid, task_uuid, step_no)
);

create index broadcast_retries_due_idx
  on tasker.broadcast_retries (event_uuid, due_at, task_uuid, step_no);

comment on index tasker.broadcast_retries_due_idx is
  'Serves the delivery of one event: the steps to try again.';

comment on table tasker.broadcast_retries is
  'Steps that wait for an event and whose task another transaction held during the delivery. The delivery of the event tries these steps again. Only the holder of the event''s note writes these rows. The table is not partitioned.';
-- <<<

-- >>> db/schema/tables/features/waits/task_signals.sql
create table tasker.task_signals (
  task_uuid        uuid         not null,
  signal_no        integer      not null,
  name             text         not null,
  payload          jsonb        not null,
  idempotency_key  text,
  sent_by          text         not null,
  sent_at          timestamptz  not null,
  step_no          integer,
  consumed_at      timestamptz,

  constraint task_signals_pkey
    primary key (task_uuid, signal_no),
  constraint task_signals_idempotency_key_key
    unique (task_uuid, idempotency_key),
  constraint task_signals_signal_no_check
    check (signal_no between 1 and 65535),
  constraint task_signals_consumed_check
    check ((step_no is null) = (consumed_at is null))
) partition by range (task_uuid);

create index task_signals_kept_idx
  on tasker.task_signals (task_uuid, name, signal_no)
  where step_no is null;

comment on index tasker.task_signals_kept_idx is
  'Serves a step that begins to wait: the signals that no step has taken yet.';

comment on table tasker.task_signals is
  'The signals that were sent to a task, numbered in the order in which their senders locked the task. Each signal is taken by one step, at once or when a step waits for it.';
comment on column tasker.task_signals.step_no is
  'The step that took the signal. Null if no step has taken it yet.';
comment on column tasker.task_signals.sent_by is
  'The role that sent the signal. A wait with an assignee accepts or rejects the signal by this role.';
-- <<<

-- >>> db/schema/tables/features/durable/kept_results.sql
create table tasker.kept_results (
  task_uuid   uuid          not null,
  step_no     integer       not null,
  kept_no     tasker.place  not null,
  name        text          not null,
  occurrence  tasker.place  not null,
  value       jsonb         not null,
  error       text,
  bytes       bigint        not null,
  claim_no    integer       not null,
  kept_at     timestamptz   not null,

  constraint kept_results_pkey
    primary key (task_uuid, step_no, kept_no)
) partition by range (task_uuid);

comment on table tasker.kept_results is
  'The results of calls that durable functions have kept, in the order of the calls. A row is written once, under the step''s lock and claim. tasker.continue_step deletes the rows of the step. A retry or a reset deletes the last result if it is an error.';
comment on column tasker.kept_results.kept_no is
  'The position of the call in the function, from 1 without a gap.';
comment on column tasker.kept_results.occurrence is
  'The number of the call among the calls with the same name, from 1.';
comment on column tasker.kept_results.error is
  'The permanent error that the call returned. If it is not null, the column value is the JSON null and has no meaning.';
comment on column tasker.kept_results.bytes is
  'The total size of the results that the function has kept, up to and including this one. It is stored so that the check of the limit need not compute a sum.';
-- <<<

-- >>> db/schema/tables/features/streams/step_streams.sql
create table tasker.step_streams (
  task_uuid   uuid         not null,
  step_no     integer      not null,
  name        text         not null,
  value       jsonb,
  first_no    bigint       not null,
  last_no     bigint       not null,
  bytes       bigint       not null,
  claim_no    integer      not null,
  batch_no    integer      not null,
  attempt     integer      not null,
  changed_at  timestamptz  not null,

  constraint step_streams_pkey
    primary key (task_uuid, step_no, name),
  constraint step_streams_last_no_check
    check (last_no >= first_no - 1 and first_no > 0)
) partition by range (task_uuid);

comment on table tasker.step_streams is
  'The values and streams of steps, one row for each name. A call that appends to a stream locks its row until the commit. Therefore the numbers of items have no gaps and are committed in order.';
comment on column tasker.step_streams.value is
  'The last value that was set. Null if the name is a stream, whose items are in tasker.stream_items.';
comment on column tasker.step_streams.first_no is
  'The number of the oldest kept item. It is 1 unless old items of the stream "log" were deleted.';
comment on column tasker.step_streams.last_no is
  'The number of the newest item of a stream, or the number of changes of a value.';
comment on column tasker.step_streams.bytes is
  'The size of the items that are kept, or of the value.';
comment on column tasker.step_streams.claim_no is
  'The claim that made the newest change. A write by an earlier claim is refused.';
comment on column tasker.step_streams.batch_no is
  'The number of the last batch that this claim appended. A batch with the same number or a lower number is a repetition.';
-- <<<

-- >>> db/schema/tables/features/streams/stream_items.sql
create table tasker.stream_items (
  task_uuid   uuid         not null,
  step_no     integer      not null,
  name        text         not null,
  last_no     bigint       not null,
  first_no    bigint       not null,
  attempt     integer      not null,
  written_at  timestamptz  not null,
  items       jsonb        not null,

  constraint stream_items_pkey
    primary key (task_uuid, step_no, name, last_no)
) partition by range (task_uuid);

comment on table tasker.stream_items is
  'The items of streams. A row has all items of one call of tasker.append_items(), so that an item does not need a row of its own. Rows are never changed. Only the oldest rows of a stream "log" are deleted.';
comment on column tasker.stream_items.last_no is
  'The number of the last item of the row.';
comment on column tasker.stream_items.attempt is
  'The attempt of the step that appended the items.';
-- <<<

-- >>> db/schema/tables/features/attributes/attributes.sql
create table tasker.attributes (
  attribute_no  integer  not null  generated always as identity,
  namespace     text     not null,
  name          text     not null,
  type          text     not null,

  constraint attributes_pkey
    primary key (attribute_no),
  constraint attributes_name_key
    unique (namespace, name),
  constraint attributes_type_check
    check (type in ('text', 'number', 'time'))
);

comment on table tasker.attributes is
  'The attributes that templates of a namespace declare, one row for each name. All templates and versions of the namespace share the type of a name, so that one index serves a search over all of them. A row is never changed or deleted.';
-- <<<

-- >>> db/schema/tables/features/attributes/template_attributes.sql
create table tasker.template_attributes (
  named_task_uuid  uuid      not null,
  step_no          integer   not null,
  attribute_no     integer   not null,
  path             jsonpath  not null,

  constraint template_attributes_pkey
    primary key (named_task_uuid, step_no, attribute_no)
);

comment on table tasker.template_attributes is
  'The sources of the attributes of a version of a template: the context, and the results of steps. Written with the version.';
comment on column tasker.template_attributes.step_no is
  'The number of the step whose result contains the value. 0 if the value is from the context.';
-- <<<

-- >>> db/schema/tables/features/attributes/task_attributes.sql
create table tasker.task_attributes (
  task_uuid     uuid         not null,
  attribute_no  integer      not null,
  step_no       integer      not null,
  text_value    text         collate "C",
  number_value  numeric,
  time_value    timestamptz,
  problem       text,
  changed_at    timestamptz  not null,

  constraint task_attributes_pkey
    primary key (task_uuid, attribute_no),
  constraint task_attributes_value_check
    check (num_nonnulls(text_value, number_value, time_value) <= 1)
) partition by range (task_uuid);

create index task_attributes_text_idx
  on tasker.task_attributes (attribute_no, text_value, task_uuid)
  where text_value is not null;

create index task_attributes_number_idx
  on tasker.task_attributes (attribute_no, number_value, task_uuid)
  where number_value is not null;

create index task_attributes_time_idx
  on tasker.task_attributes (attribute_no, time_value, task_uuid)
  where time_value is not null;

comment on index tasker.task_attributes_text_idx is
  'Serves the search for tasks by an attribute of type text, and the order of a list by it. The index has only the rows of this type.';
comment on index tasker.task_attributes_number_idx is
  'Serves the search for tasks by an attribute of type number, and the order of a list by it.';
comment on index tasker.task_attributes_time_idx is
  'Serves the search for tasks by an attribute of type time, and the order of a list by it.';

comment on table tasker.task_attributes is
  'The attributes of tasks whose templates declare attributes, written by the transaction that creates the task or completes the step, under the task''s lock.';
comment on column tasker.task_attributes.step_no is
  'The number of the step whose result contains the value. 0 if the value is from the context.';
comment on column tasker.task_attributes.problem is
  'The reason why the value at the path does not have the type of the attribute. Null if it has that type. A JSON null leaves a row without a value and without a problem.';
comment on column tasker.task_attributes.changed_at is
  'The time when the value was last written, even if it did not change.';
-- <<<

-- >>> db/schema/tables/kernel/claim/workers.sql
create table tasker.workers (
  worker_uuid        uuid                   not null,
  name               tasker.worker_name     not null,
  login              text                   not null  default session_user,
  role               text,
  namespaces         text[]                 not null  default '{}',
  handlers           text[],
  registered_at      timestamptz            not null  default tasker.clock(),
  last_seen_at       timestamptz            not null  default tasker.clock(),
  claimed_count      bigint                 not null  default 0,
  request_uuid       uuid,
  request_steps      uuid[],
  request_claim_nos  integer[],
  request_begun      integer,
  waiting_steps      uuid[],
  may_serve          text[],
  suspect_step       uuid,
  suspect_claim_no   integer,
  version            tasker.worker_version,

  constraint workers_pkey
    primary key (worker_uuid),
  constraint workers_row_check
    check (claimed_count >= 0 and cardinality(request_steps) = cardinality(request_claim_nos))
) with (fillfactor = 50);

comment on table tasker.workers is
  'Worker processes, by the UUID that their claims carry.';

comment on column tasker.workers.login is
  'The role that was logged in when the worker was registered, with the role that it had set in "role" if that is another. Other roles may not work under the worker''s UUID.';
comment on column tasker.workers.may_serve is
  'The namespaces that the registering session was bound to, whichever namespaces the worker names. Null if that session was not bound.';
comment on column tasker.workers.handlers is
  'The handlers of the worker. Null if the worker has named none. It may then run steps of any handler.';
comment on column tasker.workers.request_uuid is
  'The UUID of the newest claim request that had one. The column request_steps has the steps that this claim handed out. A repetition of the request gets the same steps.';
comment on column tasker.workers.request_begun is
  'The number of request_steps that the worker could begin at once. The other steps waited for a handler. Null means all steps.';
comment on column tasker.workers.waiting_steps is
  'The steps of earlier claims that still waited for a free handler at the worker''s newest exchange.';
comment on column tasker.workers.suspect_step is
  'The suspect (tasker.start_suspect) that the worker began last. It began under the claim number suspect_claim_no, and may have ended since.';
comment on column tasker.workers.version is
  'The version of the worker''s program, as the worker reports it. Null if the worker reports no version. The log names the worker of each claim, so that this version can be found for the claim. Each process has its own UUID, so the version of a claim does not change.';

create index workers_suspect_idx
  on tasker.workers (regexp_replace(name, '#[0-9]+$', ''))
  where suspect_step is not null;

comment on index tasker.workers_suspect_idx is
  'Serves tasker.start_suspect: the suspects of one process, whose workers have one name with a number.';
-- <<<

-- >>> db/schema/tables/kernel/notify/sleepers.sql
create unlogged table tasker.sleepers (
  channel       text collate "C"  not null,
  sleeper_uuid  uuid              not null,
  until         timestamptz       not null,

  constraint sleepers_pkey
    primary key (channel, sleeper_uuid)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.sleepers is
  'Clients that sleep until a notification wakes them, by the channel that they listen to. A transaction notifies a channel only if it finds a row here (docs/wakeups.md). The table is empty after a crash, which also ends all connections.';
comment on column tasker.sleepers.channel is
  'The channel that wakes the client: the name of a channel, or tasker_task_events with a dot and the UUID of the one task whose changes matter.';
comment on column tasker.sleepers.until is
  'The time until which the row counts. After this time the row is ignored, because its client crashed or did not renew it in time.';
-- <<<

-- >>> db/schema/tables/kernel/claim/lease_clock.sql
create unlogged table tasker.lease_clock (
  heard_since  timestamptz  not null  default tasker.clock(),
  backend_pid  integer      not null  default pg_backend_pid(),

  constraint lease_clock_pkey
    primary key (heard_since, backend_pid)
);

comment on table tasker.lease_clock is
  'The time since which this server has been reachable without a break. The first claim that finds no row writes a row. The table is unlogged, because PostgreSQL empties unlogged tables in crash recovery and at a promotion, but not at a clean restart. The oldest row counts. Concurrent claims each write a row and do not wait for each other.';
-- <<<

-- >>> db/schema/tables/operate/dead_letters/tasks_dlq.sql
create table tasker.tasks_dlq (
  dlq_entry_uuid        uuid               not null  default tasker.uuid_generate_v7(),
  task_uuid             uuid               not null,
  original_state        tasker.task_state  not null,
  dlq_reason            text               not null,
  dlq_timestamp         timestamptz        not null  default tasker.clock(),
  resolution_status     text               not null  default 'pending',
  resolution_timestamp  timestamptz,
  resolution_notes      text,
  resolved_by           text,
  task_snapshot         jsonb              not null,
  metadata              jsonb              not null  default '{}',

  constraint tasks_dlq_pkey
    primary key (dlq_entry_uuid),
  constraint tasks_dlq_dlq_reason_check
    check (dlq_reason in (
      'staleness_timeout', 'max_retries_exceeded', 'dependency_cycle_detected',
      'worker_unavailable', 'manual_dlq'
    )),
  constraint tasks_dlq_resolution_status_check
    check (resolution_status in ('pending', 'manually_resolved', 'permanently_failed', 'cancelled')),
  constraint tasks_dlq_resolution_check
    check ((resolution_status = 'pending') = (resolution_timestamp is null)),
  constraint tasks_dlq_task_snapshot_check
    check (jsonb_typeof(task_snapshot) = 'object')
);

create unique index tasks_dlq_one_investigation_key
  on tasker.tasks_dlq (task_uuid)
  where resolution_status = 'pending';

create index tasks_dlq_task_idx
  on tasker.tasks_dlq (task_uuid);

comment on index tasker.tasks_dlq_one_investigation_key is
  'Ensures that a task has at most one open investigation.';
comment on index tasker.tasks_dlq_task_idx is
  'Serves the history of a task''s investigations, and retention, which holds the ranges of pending investigations.';

comment on table tasker.tasks_dlq is
  'Investigations of tasks that did not make progress, each with a snapshot of the task.';
-- <<<

-- >>> db/schema/rows/kernel/move/task_facts.sql
create or replace view tasker.task_facts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as transport,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  false::boolean as has_added_edges,
  ''::text as on_failure,
  'pending'::tasker.task_state as state,
  0::integer as transition_count,
  0::integer as open_steps,
  0::integer as active_steps,
  0::integer as retrying_steps,
  0::integer as suspended_steps,
  0::integer as failed_steps,
  '-infinity'::timestamptz as updated_at,
  null::uuid as parent_step_uuid,
  null::jsonb as undo,
  0::integer as total_steps,
  false::boolean as keyed
where false;

comment on view tasker.task_facts is
  'Row type: the facts of a task that decide the consequences of its steps'' moves: where its steps are queued, its policy on failure (tasker.failure_policy), its state and its counters, and whether its template bounds its runs by key.';
-- <<<

-- >>> db/schema/rows/kernel/move/step_moves.sql
create or replace view tasker.step_moves as
select
  null::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  'pending'::tasker.step_state as from_state,
  null::text as first_event,
  null::tasker.step_state as via_state,
  null::text as event,
  'pending'::tasker.step_state as to_state,
  null::integer as held_claim_no,
  null::integer as claim_no,
  null::integer as settled,
  null::integer as satisfied,
  null::uuid as worker_uuid,
  null::timestamptz as lease_until,
  null::timestamptz as next_retry_at,
  null::timestamptz as visible_at,
  null::bigint as execution_time_ms,
  null::double precision as backoff_seconds,
  null::text as actor,
  null::text as reason,
  null::text as error,
  null::jsonb as result,
  null::jsonb as metadata,
  null::integer as transition_count,
  null::integer as priority,
  null::uuid as named_step_uuid,
  null::timestamptz as moved_at,
  0::smallint as effects,
  null::jsonb as value
where false;

comment on view tasker.step_moves is
  'Row type: one move of one step. The last five columns have the facts that tasker.write_move or tasker.write_moves adds when it writes the move. The other columns have the decision.';
comment on column tasker.step_moves.position is
  'The position, among the results of the call, of the result that led to this move. Null if no result led to the move.';
comment on column tasker.step_moves.from_state is
  'The state that the decision was made for. A step that has left this state is not moved.';
comment on column tasker.step_moves.first_event is
  'The event of the first of two transitions, which leads to via_state. Null if the move has only one transition.';
comment on column tasker.step_moves.event is
  'The event of the transition that leads to to_state. Null if the step keeps its state and only counts its settled parents.';
comment on column tasker.step_moves.held_claim_no is
  'The claim number that the step must still have for the move to be written. Null means any claim.';
comment on column tasker.step_moves.claim_no is
  'The claim number that a start assigns. After the move is written, the column has the claim number of the step.';
comment on column tasker.step_moves.settled is
  'The number of parents that settle with this move. Null if none settles. The column satisfied counts their satisfied edges.';
comment on column tasker.step_moves.effects is
  'The features of the step that this move concerns (tasker.effects_of_move).';
comment on column tasker.step_moves.value is
  'The value with which the wait of a durable function ended. The function keeps this value.';
comment on column tasker.step_moves.visible_at is
  'The time from which the queue row may be taken. If this is null, an existing queue row stays as it is, because the claim has already written it.';
-- <<<

-- >>> db/schema/functions/kernel/move/private/step_move.sql
create or replace function tasker.step_move(
  p_task_uuid          uuid,
  p_step_no            integer,
  p_from_state         tasker.step_state,
  p_to_state           tasker.step_state,
  p_position           bigint             default null,
  p_first_event        text               default null,
  p_via_state          tasker.step_state  default null,
  p_event              text               default null,
  p_held_claim_no      integer            default null,
  p_claim_no           integer            default null,
  p_settled            integer            default null,
  p_satisfied          integer            default null,
  p_worker_uuid        uuid               default null,
  p_lease_until        timestamptz        default null,
  p_next_retry_at      timestamptz        default null,
  p_visible_at         timestamptz        default null,
  p_execution_time_ms  bigint             default null,
  p_backoff_seconds    double precision   default null,
  p_actor              text               default null,
  p_reason             text               default null,
  p_error              text               default null,
  p_result             jsonb              default null,
  p_metadata           jsonb              default null,
  p_transition_count   integer            default null,
  p_priority           integer            default null,
  p_named_step_uuid    uuid               default null,
  p_moved_at           timestamptz        default null,
  p_effects            smallint           default 0,
  p_value              jsonb              default null
)
  returns tasker.step_moves
  language sql
  immutable
  parallel safe
begin atomic
  -- Only this function knows the order of the columns. It is inlined, so a call costs no more than the row.
  select row(
    p_position::integer, p_task_uuid, p_step_no, p_from_state, p_first_event, p_via_state, p_event, p_to_state,
    p_held_claim_no, p_claim_no, p_settled, p_satisfied, p_worker_uuid, p_lease_until, p_next_retry_at, p_visible_at,
    p_execution_time_ms, p_backoff_seconds, p_actor, p_reason, p_error, p_result, p_metadata, p_transition_count,
    p_priority, p_named_step_uuid, p_moved_at, p_effects, p_value
  )::tasker.step_moves;
end;

comment on function tasker.step_move is
$$Returns a move: the step, its states before and after, the event, and further columns. Calls name the arguments. An omitted argument is null.$$;
-- <<<

-- >>> db/schema/rows/kernel/result/step_results.sql
create or replace view tasker.step_results as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  null::jsonb as result,
  null::text as error,
  null::boolean as permanent,
  null::double precision as backoff_seconds,
  null::bigint as execution_time_ms
where false;

comment on view tasker.step_results is
  'Row type: a result as a worker reports it. A result that has an error is a failure.';
-- <<<

-- >>> db/schema/functions/kernel/state/private/raise_erased.sql
create or replace function tasker.raise_erased(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('task %s was erased and cannot run again', p_task_uuid),
    hint    = 'Create a new task. tasker.list_erasures() shows who erased it, and why.';
end;
$$;

comment on function tasker.raise_erased is
$$Raises TK409 for a task whose data were erased, so that it cannot run.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/refuse_log_change.sql
create or replace function tasker.refuse_log_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- An erasure replaces texts. The path, the times and the logins of a row do not change.
  if tg_op = 'UPDATE' and tg_argv[0] in ('task_log', 'step_log', 'administration_log') and tasker.is_running('erase_rows(uuid,boolean)') then
    old.actor := new.actor;
    old.reason := new.reason;
    if tg_argv[0] = 'administration_log' then
      old.was := new.was;
      old.becomes := new.becomes;
    else
      old.metadata := new.metadata;
      if tg_argv[0] = 'task_log' then
        old.outcome := new.outcome;
      else
        old.result_digest := new.result_digest;
      end if;
    end if;
    if old is not distinct from new then
      return new;
    end if;
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('rows of tasker.%s are never changed or deleted', tg_argv[0]),
    hint    = 'History is append-only; retention drops old ranges as whole partitions.';
end;
$$;

comment on function tasker.refuse_log_change is
$$Trigger function: refuses changes of existing log rows, even for their owner and superusers. Only tasker.erase_rows may replace texts. Raises TK403.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/append_only.sql
-- Partitions inherit the row-level triggers. The partition manager adds the statement-level triggers.
create or replace trigger task_log_append_only
  before update or delete on tasker.task_log
  for each row execute function tasker.refuse_log_change('task_log');

create or replace trigger step_log_append_only
  before update or delete on tasker.step_log
  for each row execute function tasker.refuse_log_change('step_log');

create or replace trigger task_log_no_truncate
  before truncate on tasker.task_log
  for each statement execute function tasker.refuse_log_change('task_log');

create or replace trigger step_log_no_truncate
  before truncate on tasker.step_log
  for each statement execute function tasker.refuse_log_change('step_log');

comment on trigger task_log_append_only on tasker.task_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger step_log_append_only on tasker.step_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger task_log_no_truncate on tasker.task_log is
  'Refuses, with TK403, to truncate the table or one of its partitions.';
comment on trigger step_log_no_truncate on tasker.step_log is
  'Refuses, with TK403, to truncate the table or one of its partitions.';

-- The transitions of a path are history, too.
create or replace trigger task_log_paths_append_only
  before update or delete on tasker.task_log_paths
  for each row execute function tasker.refuse_log_change('task_log_paths');

create or replace trigger step_log_paths_append_only
  before update or delete on tasker.step_log_paths
  for each row execute function tasker.refuse_log_change('step_log_paths');

create or replace trigger task_log_paths_no_truncate
  before truncate on tasker.task_log_paths
  for each statement execute function tasker.refuse_log_change('task_log_paths');

create or replace trigger step_log_paths_no_truncate
  before truncate on tasker.step_log_paths
  for each statement execute function tasker.refuse_log_change('step_log_paths');

comment on trigger task_log_paths_append_only on tasker.task_log_paths is
  'Refuses, with TK403, every change of a row.';
comment on trigger step_log_paths_append_only on tasker.step_log_paths is
  'Refuses, with TK403, every change of a row.';
comment on trigger task_log_paths_no_truncate on tasker.task_log_paths is
  'Refuses, with TK403, to truncate the table.';
comment on trigger step_log_paths_no_truncate on tasker.step_log_paths is
  'Refuses, with TK403, to truncate the table.';
-- <<<

-- >>> db/schema/functions/kernel/state/private/refuse_run_change.sql
create or replace function tasker.refuse_run_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and tg_argv[0] <> 'settings'
     and (tasker.is_running('erase_rows(uuid,boolean)') or tg_argv[0] = 'tasks' and tasker.is_running('replace_context(uuid,jsonb)')) then
    return null;
  end if;
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then format('rows of tasker.%s never change the columns that they were created with', tg_argv[0])
      else format('rows of tasker.%s are never deleted', tg_argv[0])
    end,
    hint    = 'Use the functions of schema tasker; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_run_change is
$$Trigger function: refuses to delete tasks, steps, signals and investigations, or to change their columns that never change after the insertion, even for their owner and superusers. Only tasker.erase_rows may do so, and for tasks also tasker.replace_context. Raises TK403.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/refuse_kept_change.sql
create or replace function tasker.refuse_kept_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'DELETE' and current_setting('tasker.forgets', true) = 'on' then
    return null;
  end if;
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then 'what a function has kept never changes'
      else 'what a function has kept is forgotten only by the engine'
    end,
    hint    = 'tasker.continue_step() and a reset of the task forget it; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_kept_change is
$$Trigger function: raises TK403 if kept results of functions are changed, or if they are deleted other than by the engine. Even the table's owner and superusers get this error.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/refuse_stream_change.sql
create or replace function tasker.refuse_stream_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'DELETE' and current_setting('tasker.forgets', true) = 'on' then
    return null;
  end if;
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then 'items of a stream never change'
      else 'only the engine deletes streams and their items'
    end,
    hint    = 'tasker.erase_task() erases a run; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_stream_change is
$$Trigger function: raises TK403 if items of streams are changed, or if streams or items are deleted other than by the engine. Even the tables' owner and superusers get this error.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/check_step_tasks.sql
create or replace function tasker.check_step_tasks()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
  v_task  uuid;
  v_rule  text;
begin
  -- Find the task of each new step, or null if the step breaks a rule of its own. The array of a subquery needs no
  -- aggregate.
  v_tasks := array(
    select
      case
        when tasker.is_step_uuid(r.workflow_step_uuid, r.task_uuid, r.step_no)
          and r.max_attempts between 1 and 10000
          and coalesce(r.timeout_seconds > 0, true)
        then r.task_uuid
      end
      from new_rows as r
  );
  -- Most statements insert the steps of one task. A plan for many tasks would open every partition.
  if v_tasks[1] = all (v_tasks) then
    perform from tasker.tasks as t where t.task_uuid = v_tasks[1];
    if found or v_tasks = '{}' then
      return null;
    end if;
    v_task := v_tasks[1];
  elsif array_position(v_tasks, null) is not null then
    select r.task_uuid, b.rule
      into v_task, v_rule
      from new_rows as r
     cross join lateral (
       select
         case
           when tasker.is_step_uuid(r.workflow_step_uuid, r.task_uuid, r.step_no) is not true then 'uuid'
           when r.max_attempts not between 1 and 10000 then 'attempts'
           when r.timeout_seconds <= 0 then 'timeout_seconds'
         end as rule
     ) as b
     where b.rule is not null
     limit 1;
    if v_rule = 'uuid' then
      raise exception using
        errcode = 'TK422',
        message = format('a new step of task %s does not have the UUID of its key', v_task),
        hint    = 'workflow_step_uuid is tasker.step_uuid(task_uuid, step_no), and step_no is in 1 to 65,535.';
    end if;
    v_rule := 'workflow_steps_' || v_rule || '_check';
    raise exception using
      errcode    = '23514',
      message    = format('new row for relation "workflow_steps" violates check constraint "%s"', v_rule),
      detail     = format('It is a step of task %s.', v_task),
      schema     = 'tasker',
      table      = 'workflow_steps',
      constraint = v_rule;
  else
    select n.task_uuid
      into v_task
      from (select distinct u.task_uuid from unnest(v_tasks) as u (task_uuid)) as n
     where not exists (
       select
         from tasker.tasks as t
        where t.task_uuid = n.task_uuid
       offset 0
     )
     limit 1;
    if not found then
      return null;
    end if;
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('the task %s of a new step does not exist', v_task),
    hint    = 'Create steps with their task, by tasker.create_task, or add them by tasker.add_steps.';
end;
$$;

comment on function tasker.check_step_tasks is
$$Trigger function: checks that the tasks of new steps exist, that each step's UUID matches its key, and the other columns that never change. Raises TK422 and 23514.

This trigger replaces a foreign key, which would query the task once for each step. It checks all steps of a statement together, once for each task. Tasks are only dropped with their whole partition, and their keys never change.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/refuse_identity_delete.sql
create or replace function tasker.refuse_identity_delete()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from tasker.tasks as t where t.task_uuid = old.task_uuid) then
    raise exception using
      errcode = 'TK403',
      message = 'the identity of a task is kept as long as the task',
      detail  = format('It leads to task %s.', old.task_uuid),
      hint    = 'tasker.gc_identities() deletes identities whose tasks retention has dropped.';
  end if;
  return old;
end;
$$;

comment on function tasker.refuse_identity_delete is
$$Trigger function: refuses to delete the identity of a task that exists, even for its owner and superusers. Raises TK403.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/run_rows.sql
-- The triggers are statement-level, so that updates of other columns cost nothing. The partition manager adds
-- these triggers to partitions.
create or replace trigger tasks_refuse_delete
  before delete or truncate on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger tasks_refuse_key_update
  before update of
    task_uuid, named_task_uuid, requested_at, correlation_id, parent_correlation_id, identity_hash, initiator,
    login, role, creator_namespaces, source_system, headers, context, parent_step_uuid, depth, erased_at
  on tasker.tasks
  for each statement execute function tasker.refuse_run_change('tasks');

create or replace trigger workflow_steps_refuse_delete
  before delete or truncate on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger workflow_steps_refuse_key_update
  before update of
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, max_attempts, timeout_seconds, created_at, inputs, await,
    for_each, map_no, limit_no, limit_key
  on tasker.workflow_steps
  for each statement execute function tasker.refuse_run_change('workflow_steps');

create or replace trigger tasks_dlq_refuse_delete
  before delete or truncate on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger tasks_dlq_refuse_key_update
  before update of dlq_entry_uuid, task_uuid, original_state, dlq_reason, dlq_timestamp, task_snapshot on tasker.tasks_dlq
  for each statement execute function tasker.refuse_run_change('tasks_dlq');

create or replace trigger task_signals_refuse_delete
  before delete or truncate on tasker.task_signals
  for each statement execute function tasker.refuse_run_change('task_signals');

create or replace trigger task_signals_refuse_key_update
  before update of task_uuid, signal_no, name, payload, idempotency_key, sent_by, sent_at on tasker.task_signals
  for each statement execute function tasker.refuse_run_change('task_signals');

create or replace trigger broadcasts_refuse_key_update
  before update of event_uuid, namespace, name, key, payload, idempotency_key, sent_by, sent_at on tasker.broadcasts
  for each statement execute function tasker.refuse_run_change('broadcasts');

create or replace trigger settings_refuse_key_update
  before update of name, kind, default_value, minimum, maximum on tasker.settings
  for each statement execute function tasker.refuse_run_change('settings');

create or replace trigger workflow_steps_check_insert
  after insert on tasker.workflow_steps
  referencing new table as new_rows
  for each statement execute function tasker.check_step_tasks();

comment on trigger tasks_refuse_delete on tasker.tasks is
  'Refuses to delete tasks, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger tasks_refuse_key_update on tasker.tasks is
  'Refuses to change the columns that the request set. Steps, history and queue rows refer to the key without foreign keys.';
comment on trigger workflow_steps_refuse_delete on tasker.workflow_steps is
  'Refuses to delete steps, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger workflow_steps_refuse_key_update on tasker.workflow_steps is
  'Refuses to change the columns that the template set. History, edges and queue rows refer to the key without foreign keys.';
comment on trigger tasks_dlq_refuse_delete on tasker.tasks_dlq is
  'Refuses to delete investigations. session_replication_role does not switch this trigger off.';
comment on trigger tasks_dlq_refuse_key_update on tasker.tasks_dlq is
  'Refuses to change the snapshot of an investigation.';
comment on trigger task_signals_refuse_delete on tasker.task_signals is
  'Refuses to delete signals, which are only dropped with their partition. session_replication_role does not switch this trigger off.';
comment on trigger task_signals_refuse_key_update on tasker.task_signals is
  'Refuses to change a signal, except to add the step that takes it.';
comment on trigger broadcasts_refuse_key_update on tasker.broadcasts is
  'Refuses to change an event, except for the progress of its delivery.';
comment on trigger settings_refuse_key_update on tasker.settings is
  'Refuses to change the bounds of a setting, which only migrations change.';
comment on trigger workflow_steps_check_insert on tasker.workflow_steps is
  'Replaces the foreign key to tasks, and checks that the UUID matches the key and that the columns that never change are valid.';
-- <<<

-- >>> db/schema/triggers/features/durable/kept_rows.sql
create or replace trigger kept_results_refuse_change
  before update or delete or truncate on tasker.kept_results
  for each statement execute function tasker.refuse_kept_change();

comment on trigger kept_results_refuse_change on tasker.kept_results is
  'Only the engine deletes the kept results of a function. session_replication_role does not switch this trigger off.';
-- <<<

-- >>> db/schema/triggers/features/streams/stream_rows.sql
create or replace trigger stream_items_refuse_change
  before update or delete or truncate on tasker.stream_items
  for each statement execute function tasker.refuse_stream_change();

comment on trigger stream_items_refuse_change on tasker.stream_items is
  'Items never change, and only the engine deletes them. session_replication_role does not switch this trigger off.';

create or replace trigger step_streams_refuse_delete
  before delete or truncate on tasker.step_streams
  for each statement execute function tasker.refuse_stream_change();

comment on trigger step_streams_refuse_delete on tasker.step_streams is
  'Only the engine deletes streams. session_replication_role does not switch this trigger off.';
-- <<<

-- >>> db/schema/functions/kernel/graph/private/check_step_edges.sql
create or replace function tasker.check_step_edges()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_edge record;
begin
  select n.task_uuid, n.from_step_no, n.to_step_no, x.both_steps
    into v_edge
    from new_rows as n
   cross join lateral (
     select
       exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = n.task_uuid
            and s.step_no = n.from_step_no
         offset 0
       ) and exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = n.task_uuid
            and s.step_no = n.to_step_no
         offset 0
       ) as both_steps,
       exists (
         select
           from tasker.tasks as t
           join tasker.named_task_edges as e
             on e.named_task_uuid = t.named_task_uuid
          where t.task_uuid = n.task_uuid
            and e.from_step_no = n.from_step_no
            and e.to_step_no = n.to_step_no
         offset 0
       ) as in_template
   ) as x
   where not x.both_steps
      or x.in_template
   limit 1;

  if v_edge.both_steps then
    raise exception using
      errcode = 'TK409',
      message = format(
        'task %s has the edge %s -> %s from its template', v_edge.task_uuid, v_edge.from_step_no, v_edge.to_step_no
      ),
      hint    = 'There is one edge between two steps.';
  elsif found then
    raise exception using
      errcode = 'TK422',
      message = format(
        'task %s does not have both steps of the edge %s -> %s',
        v_edge.task_uuid, v_edge.from_step_no, v_edge.to_step_no
      ),
      hint    = 'An edge joins two steps of its own task.';
  end if;

  update tasker.tasks as t
     set has_added_edges = true
    from (select distinct n.task_uuid from new_rows as n) as u
   where t.task_uuid = any (array[u.task_uuid])
     and not t.has_added_edges;
  return null;
end;
$$;

comment on function tasker.check_step_edges is
$$Trigger function: checks that both ends of an added edge are steps of its task and that its template does not have the same edge, and marks the task as having added edges. Raises TK422 and TK409.

This trigger replaces two foreign keys, because it checks all edges of a statement together. Steps are only dropped with their whole partition, so the end of a step needs no check.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/step_edges.sql
create or replace trigger added_step_edges_check_insert
  after insert on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

create or replace trigger added_step_edges_check_update
  after update on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

comment on trigger added_step_edges_check_insert on tasker.added_step_edges is
  'Replaces the foreign keys to workflow_steps.';
comment on trigger added_step_edges_check_update on tasker.added_step_edges is
  'Replaces the foreign keys to workflow_steps.';
-- <<<

-- >>> db/schema/functions/kernel/template/private/refuse_graph_change.sql
create or replace function tasker.refuse_graph_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_template text;
begin
  select format('%s version %s', k.name, k.version)
    into v_template
    from (select distinct r.named_task_uuid from changed_rows as r) as c
    join tasker.named_tasks as k
      on k.named_task_uuid = c.named_task_uuid
   where exists (select from tasker.tasks as t where t.named_task_uuid = c.named_task_uuid)
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = format('the graph of template %s cannot change, because tasks use it', v_template),
      detail  = 'Tasks read the edges of their template; they have no copy.',
      hint    = 'Register a new version, or add edges to a running task: tasker.add_step_edge().';
  end if;
  return null;
end;
$$;

comment on function tasker.refuse_graph_change is
$$Trigger function: refuses changes to the edges of a template that tasks use. Raises TK409.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/template_edges.sql
create or replace trigger named_task_edges_check_insert
  after insert on tasker.named_task_edges
  referencing new table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_check_update
  after update on tasker.named_task_edges
  referencing old table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_check_delete
  after delete on tasker.named_task_edges
  referencing old table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_no_truncate
  before truncate on tasker.named_task_edges
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_task_edges_check_insert on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_check_update on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_check_delete on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_no_truncate on tasker.named_task_edges is
  'Refuses to truncate the table, because tasks refer to the edges of their template without a foreign key.';
-- <<<

-- >>> db/schema/triggers/kernel/create/identities.sql
create or replace trigger task_identities_refuse_delete
  before delete on tasker.task_identities
  for each row execute function tasker.refuse_identity_delete();

comment on trigger task_identities_refuse_delete on tasker.task_identities is
  'Refuses, with TK403, to delete the identity of an existing task.';
-- <<<

-- >>> db/schema/triggers/kernel/state/always.sql
-- down: nothing
-- Guards that refuse changes also fire on a replica: otherwise "set session_replication_role = replica" would allow
-- changes of the history. Triggers that check inserted rows do not fire there, because logical replication copies
-- tables in any order. A replaced trigger needs the setting again. tasker.check_integrity() finds triggers
-- without it.
alter table tasker.named_task_edges
  enable always trigger named_task_edges_check_update,
  enable always trigger named_task_edges_check_delete,
  enable always trigger named_task_edges_no_truncate;

alter table tasker.task_identities
  enable always trigger task_identities_refuse_delete;

alter table tasker.tasks
  enable always trigger tasks_refuse_delete,
  enable always trigger tasks_refuse_key_update;

alter table tasker.workflow_steps
  enable always trigger workflow_steps_refuse_delete,
  enable always trigger workflow_steps_refuse_key_update;

alter table tasker.kept_results
  enable always trigger kept_results_refuse_change;

alter table tasker.step_streams
  enable always trigger step_streams_refuse_delete;

alter table tasker.stream_items
  enable always trigger stream_items_refuse_change;

alter table tasker.tasks_dlq
  enable always trigger tasks_dlq_refuse_delete,
  enable always trigger tasks_dlq_refuse_key_update;

alter table tasker.task_signals
  enable always trigger task_signals_refuse_delete,
  enable always trigger task_signals_refuse_key_update;

alter table tasker.broadcasts
  enable always trigger broadcasts_refuse_key_update;

alter table tasker.settings
  enable always trigger settings_refuse_key_update;

alter table tasker.task_log
  enable always trigger task_log_append_only,
  enable always trigger task_log_no_truncate;

alter table tasker.step_log
  enable always trigger step_log_append_only,
  enable always trigger step_log_no_truncate;

alter table tasker.task_log_paths
  enable always trigger task_log_paths_append_only,
  enable always trigger task_log_paths_no_truncate;

alter table tasker.step_log_paths
  enable always trigger step_log_paths_append_only,
  enable always trigger step_log_paths_no_truncate;
-- <<<

-- >>> db/schema/functions/kernel/state/private/task_path.sql
create or replace function tasker.task_path(
  p_task_uuid   uuid,
  p_from_state  tasker.task_state,
  p_event       text,
  p_to_state    tasker.task_state
)
  returns tasker.task_path
  language plpgsql
  stable
as $$
declare
  v_path tasker.task_path;
begin
  select u.path
    into v_path
    from tasker.task_log_paths as u
   where u.from_state = p_from_state
     and u.event = p_event
     and u.to_state = p_to_state
     and u.position = 1
     and u.after = 0;
  if v_path is not null then
    return v_path;
  end if;
  raise exception using
    errcode    = 'TK409',
    message    = format('task %s cannot go from %s to %s by event "%s"', p_task_uuid, p_from_state, p_to_state, p_event),
    hint       = 'tasker.list_task_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'task_log',
    constraint = 'task_path_check';
end;
$$;

comment on function tasker.task_path is
$$Returns the number of the path that consists of this single transition of a task. Raises TK409 if tasker.task_log_paths has no such path: the log stores only the numbers of paths, so a transition without a number cannot be logged.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_path.sql
create or replace function tasker.step_path(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_from_state  tasker.step_state,
  p_via_state   tasker.step_state,
  p_event       text,
  p_to_state    tasker.step_state
)
  returns tasker.step_path
  language plpgsql
  stable
as $$
declare
  v_path tasker.step_path;
begin
  -- The most frequent paths are found without a query.
  if p_from_state = 'pending' and p_to_state = 'enqueued' and p_event = 'Enqueue' and p_via_state is null then
    return 1;
  elsif p_from_state = 'enqueued' and p_to_state = 'in_progress' and p_event = 'Start' and p_via_state is null then
    return 3;
  end if;
  select u.path
    into v_path
    from tasker.step_log_paths as u
   where u.from_state = coalesce(p_via_state, p_from_state)
     and u.event = p_event
     and u.to_state = p_to_state
     and u.start_state = p_from_state
     and u.after = 0;
  if v_path is not null then
    return v_path;
  end if;
  raise exception using
    errcode    = 'TK409',
    message    = format(
      'step %s cannot go from %s to %s by event "%s"',
      tasker.step_uuid(p_task_uuid, p_step_no), coalesce(p_via_state, p_from_state), p_to_state, p_event
    ),
    hint       = 'tasker.list_step_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'step_log',
    constraint = 'step_path_check';
end;
$$;

comment on function tasker.step_path is
$$Returns the number of the path of a move of a step. If p_via_state is not null, the path passes through that state. Raises TK409 if tasker.step_log_paths has no such path: the log stores only the numbers of paths, so a move without a number cannot be logged.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_caller.sql
create or replace function tasker.step_caller(p_task_uuid uuid, p_step_no integer, p_row_key integer)
  returns text[]
  language sql
  stable
begin atomic
  select coalesce(
    (
      select array[l.login, l.role]
        from tasker.step_log as l
       where l.task_uuid = p_task_uuid
         and l.step_no = p_step_no
         and l.sort_key between p_row_key - 4 and p_row_key
         and l.login is not null
       order by l.sort_key desc
       limit 1
    ),
    (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = p_task_uuid)
  );
end;

comment on function tasker.step_caller is
$$Returns the caller that made a transition of a step: the login role, and the role that it had set, or null if it had set none. p_row_key is the key of the log row that has the transition. If a row does not name the caller, its caller is the same as in the previous row, over at most three rows. The caller of the first row is then the creator of the task.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/task_caller.sql
create or replace function tasker.task_caller(p_task_uuid uuid, p_row_key integer)
  returns text[]
  language sql
  stable
begin atomic
  select coalesce(
    (
      select array[l.login, l.role]
        from tasker.task_log as l
       where l.task_uuid = p_task_uuid
         and l.sort_key between p_row_key - 8 and p_row_key
         and l.login is not null
       order by l.sort_key desc
       limit 1
    ),
    (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = p_task_uuid)
  );
end;

comment on function tasker.task_caller is
$$Returns the caller that made a transition of a task: the login role, and the role that it had set, or null if it had set none. p_row_key is the key of the log row that has the transition. If a row does not name the caller, its caller is the same as in the previous row. The caller of the first row is then the creator of the task.$$;
-- <<<

-- >>> db/schema/views/operate/views/task_transitions.sql
create or replace view tasker.task_transitions
  with (security_barrier = true)
as
select
  tasker.transition_uuid(l.task_uuid, 0, l.sort_key - u.after) as task_transition_uuid,
  l.task_uuid,
  u.to_state,
  u.from_state,
  u.event,
  l.processor_uuid,
  l.actor,
  case
    when l.login is not null then l.login
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.task_log as w
         where w.task_uuid = l.task_uuid
           and w.sort_key between l.sort_key - 8 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      array[t.login, t.role]
    ))[1]
  end as login,
  case
    when l.login is not null then l.role
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.task_log as w
         where w.task_uuid = l.task_uuid
           and w.sort_key between l.sort_key - 8 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      array[t.login, t.role]
    ))[2]
  end as role,
  l.reason,
  coalesce(case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end, '{}') as metadata,
  coalesce(case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end, '{}') as transition_metadata,
  l.sort_key - u.after as sort_key,
  -- The condition on the row's key finds one row by that key.
  l.sort_key = t.transition_count and u.after = 0 as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.task_log as l
join tasker.task_log_paths as u
  on u.path = l.path
join tasker.tasks as t
  on t.task_uuid = l.task_uuid
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(t.task_uuid))
union all
select
  tasker.transition_uuid(t.task_uuid, 0, 0),
  t.task_uuid,
  'pending',
  null,
  'Create',
  null,
  t.initiator,
  t.login,
  t.role,
  t.reason,
  '{}',
  '{}',
  0,
  0 = t.transition_count,
  t.requested_at,
  t.requested_at
from tasker.tasks as t
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(t.task_uuid));

comment on view tasker.task_transitions is
  'The history of tasks, including their creation. "where task_uuid = … and most_recent" reads only one row, even if the history is long. "most_recent is true" reads the whole history. A bound caller sees only its namespaces.';

grant select on table tasker.task_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/operate/views/workflow_step_transitions.sql
create or replace view tasker.workflow_step_transitions
  with (security_barrier = true)
as
select
  tasker.transition_uuid(l.task_uuid, l.step_no, l.sort_key - u.after) as workflow_step_transition_uuid,
  s.workflow_step_uuid,
  l.task_uuid,
  l.step_no,
  u.to_state,
  u.from_state,
  u.event,
  l.claim_no,
  case when u.position = 1 then l.worker_uuid end as worker_uuid,
  l.actor,
  case
    when l.login is not null then l.login
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.step_log as w
         where w.task_uuid = l.task_uuid
           and w.step_no = l.step_no
           and w.sort_key between l.sort_key - 4 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = l.task_uuid)
    ))[1]
  end as login,
  case
    when l.login is not null then l.role
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.step_log as w
         where w.task_uuid = l.task_uuid
           and w.step_no = l.step_no
           and w.sort_key between l.sort_key - 4 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = l.task_uuid)
    ))[2]
  end as role,
  l.reason,
  coalesce(case when u.position = 1 then l.metadata end, '{}') as metadata,
  coalesce(case when u.position = 1 then l.metadata end, '{}') as transition_metadata,
  case when u.position = 1 then l.execution_time_ms end::bigint as execution_time_ms,
  l.sort_key - u.after as sort_key,
  -- The condition on the row's key finds one row by that key.
  l.sort_key = s.transition_count and u.after = 0 as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.step_log as l
join tasker.step_log_paths as u
  on u.path = l.path
join tasker.workflow_steps as s
  on s.task_uuid = l.task_uuid
 and s.step_no = l.step_no
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(s.task_uuid))
union all
select
  tasker.transition_uuid(s.task_uuid, s.step_no, 0),
  s.workflow_step_uuid,
  s.task_uuid,
  s.step_no,
  'pending',
  null,
  'Create',
  0,
  null,
  null,
  null,
  null,
  null,
  '{}',
  '{}',
  null,
  0,
  0 = s.transition_count,
  s.created_at,
  s.created_at
from tasker.workflow_steps as s
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(s.task_uuid));

comment on view tasker.workflow_step_transitions is
  'The history of steps, including their creation. If a query names the task, or the task and step_no, "… and most_recent" reads only one row of each step, even if the history is long. A bound caller sees only its namespaces.';

grant select on table tasker.workflow_step_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/kernel/graph/workflow_step_edges.sql
create or replace view tasker.workflow_step_edges as
select
  t.task_uuid,
  e.from_step_no,
  e.to_step_no,
  'provides' as name,
  e.condition,
  e.outcome
from tasker.tasks as t
join tasker.named_task_edges as e
  on e.named_task_uuid = t.named_task_uuid
union all
select
  a.task_uuid,
  a.from_step_no,
  a.to_step_no,
  a.name,
  a.condition,
  null as outcome
from tasker.added_step_edges as a;

comment on view tasker.workflow_step_edges is
  'The dependencies between the steps of a task: the dependencies of its template, which tasks do not copy, and added dependencies. A query should name the task, so that PostgreSQL uses the keys.';
comment on column tasker.workflow_step_edges.condition is
  'The template''s "when": a predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
comment on column tasker.workflow_step_edges.outcome is
  'The template''s "on": failed or ended. Null waits for a success, as an added edge always does.';
-- <<<

-- >>> db/schema/views/kernel/graph/step_edges.sql
create or replace view tasker.step_edges
  with (security_barrier = true)
as
select
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition,
  e.outcome
from tasker.workflow_step_edges as e
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(e.task_uuid));

comment on view tasker.step_edges is
  'The dependencies between steps, by the UUIDs of the steps. A query should name the task, so that PostgreSQL uses the key. A bound caller sees only its namespaces.';

grant select on table tasker.step_edges to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/operate/views/step_result_log.sql
create or replace view tasker.step_result_log as
select
  l.task_uuid,
  l.step_no,
  l.sort_key as row_key,
  l.created_at as recorded_at,
  -- A caller that sends another worker's result names that worker in the metadata, which were checked with the result.
  coalesce((l.metadata ->> 'worker_uuid')::uuid, l.worker_uuid) as worker_uuid,
  (l.metadata ->> 'correlation_id')::uuid as correlation_id,
  l.path < 1000 as success,
  l.execution_time_ms::bigint as execution_time_ms,
  l.path
from tasker.step_log as l
-- The paths are computed once, instead of a look-up for each row of the log.
where l.path = any (array(
        select u.path from tasker.step_log_paths as u where u.event in ('EnqueueForOrchestration', 'CompleteManually')
      ));

comment on view tasker.step_result_log is
  'The rows of the step log whose path records a result, for queries that count results or select some of them. This view is the only place that lists the events that record a result.';
comment on column tasker.step_result_log.row_key is
  'The key of the log row, by which a reader finds it.';
comment on column tasker.step_result_log.recorded_at is
  'The time when the log row was written. A condition on a range of this column uses the log''s index.';
comment on column tasker.step_result_log.success is
  'Whether the result is a success. Paths from 1,000 on are the paths of failed results, and the log has an index of their rows.';
-- <<<

-- >>> db/schema/views/operate/views/workflow_step_result_audit.sql
create or replace view tasker.workflow_step_result_audit as
select
  l.task_uuid,
  l.step_no,
  l.row_key - u.after as sort_key,
  l.recorded_at,
  l.worker_uuid,
  coalesce(
    l.correlation_id,
    (select t.correlation_id from tasker.tasks as t where t.task_uuid = l.task_uuid)
  ) as correlation_id,
  l.success,
  l.execution_time_ms,
  l.row_key,
  u.event,
  u.from_state,
  u.to_state
from tasker.step_result_log as l
join tasker.step_log_paths as u
  on u.path = l.path
 and u.position = 1; -- The first transition of a path records the result.

comment on view tasker.workflow_step_result_audit is
  'Recorded results and who recorded them: the transitions of the step log whose event records a result, so that every result has its audit.';
comment on column tasker.workflow_step_result_audit.recorded_at is
  'The time when the log row was written. A condition on a range of this column uses the log''s index.';
comment on column tasker.workflow_step_result_audit.row_key is
  'The key of the log row, by which a reader finds it.';
-- <<<

-- >>> db/schema/views/operate/views/step_result_audit.sql
create or replace view tasker.step_result_audit
  with (security_barrier = true)
as
select
  a.task_uuid,
  tasker.step_uuid(a.task_uuid, a.step_no) as workflow_step_uuid,
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_transition_uuid,
  a.recorded_at,
  a.worker_uuid,
  a.correlation_id,
  a.success,
  a.execution_time_ms
from tasker.workflow_step_result_audit as a
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(a.task_uuid));

comment on view tasker.step_result_audit is
  'Recorded results and who recorded them, by the UUIDs of the step and of its transition. A bound caller sees only its namespaces.';

grant select on table tasker.step_result_audit to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000500', 'functions/features/durable/private/refuse_kept_change a1a8c72a363f6eab
functions/features/streams/private/refuse_stream_change bc7a3a8932551098
functions/kernel/create/private/refuse_identity_delete 172d0013e1ffb600
functions/kernel/graph/private/check_step_edges ecb01f98304d0807
functions/kernel/graph/private/check_step_tasks 8811128488c1c720
functions/kernel/move/private/step_move 3087dbaef3a9c824
functions/kernel/state/private/check_step_row ff9cc2caedeb370b
functions/kernel/state/private/check_task_row b00e4667a9116357
functions/kernel/state/private/raise_erased 123ad40efab8e616
functions/kernel/state/private/refuse_log_change 3eb5b54465d1c3e2
functions/kernel/state/private/refuse_run_change fe6c12f2f3184aee
functions/kernel/state/private/step_caller 0c9c0a1bafff98f3
functions/kernel/state/private/step_path 2e0eac4437b70a55
functions/kernel/state/private/task_caller a496432af736809a
functions/kernel/state/private/task_path 5b748f226e807d3b
functions/kernel/template/private/refuse_graph_change 87f928960739fdd4
rows/kernel/move/step_moves f412055e1575ef55
rows/kernel/move/task_facts 9ef06b3d9260c88b
rows/kernel/result/step_results 3f2e5715e6bbca83
tables/compat/orchestrator/finalization_claims 05d001a122bc7101
tables/features/attributes/attributes 209900cfe60d0162
tables/features/attributes/task_attributes 31a3b0913c8e31e6
tables/features/attributes/template_attributes 61e12973227cefe5
tables/features/broadcasts/broadcast_receipts df5d29013e9f46a2
tables/features/broadcasts/broadcast_retries ff7bf55ba11fa2ff
tables/features/broadcasts/broadcasts 152bd7f883804f2f
tables/features/children/full_trees 07be46e706ac8e8f
tables/features/durable/kept_results d7a0542613db2a74
tables/features/limits/limit_input_bounds 92f50836d1d7b2b4
tables/features/limits/limit_keys b58c612dfca7ad0a
tables/features/limits/limit_lines 7a2d5e75b230d840
tables/features/limits/limit_notes 2a9b7122d5ee3a5d
tables/features/runs/runs cd0d0e01e59c8613
tables/features/streams/step_streams e6d1b8841fe1d3b5
tables/features/streams/stream_items 44625e7ee7556c05
tables/features/triggers/event_triggers d2e20185a8016fe6
tables/features/waits/task_signals f7b6d0e90d183219
tables/features/waits/waits 46c3dcff199e5608
tables/kernel/claim/lease_clock 2857d24191dfcfea
tables/kernel/claim/workers bdc27c23e0541271
tables/kernel/create/task_identities 5d74bf42af1d7277
tables/kernel/graph/added_step_edges a8f175e2845ea62d
tables/kernel/notify/sleepers 9cfceaf62f147d7a
tables/kernel/queue/step_queue 00bbbfd2002a54d1
tables/kernel/state/step_log 60e36dd9ab60879e
tables/kernel/state/task_log 8c98559398f9dd14
tables/kernel/state/tasks d15dd0ef5cab912a
tables/kernel/state/workflow_steps f55c7bb39e34cf66
tables/kernel/timer/failed_timers ce78f155a015f7bf
tables/kernel/timer/timers fa1d34b3db7585e7
tables/kernel/timer/waiting_tasks 6915758dc9a1c699
tables/operate/dead_letters/tasks_dlq 308f5094744fabf7
triggers/features/durable/kept_rows e90811b9353bfc06
triggers/features/streams/stream_rows 5fed0e6e24422984
triggers/kernel/create/identities 5fe279d0af6cadef
triggers/kernel/state/always a7f57b9305b12137
triggers/kernel/state/append_only a0f34669306586d6
triggers/kernel/state/run_rows 79751f468386db36
triggers/kernel/state/step_edges 53dd9ca6a90f5162
triggers/kernel/state/template_edges ad1b08ffe33f2563
views/kernel/graph/step_edges be57edeb48f251fa
views/kernel/graph/workflow_step_edges b81c64519b149a46
views/kernel/state/task_transition_log eef7102b2a1bffdb
views/kernel/state/workflow_step_transition_log b68ed57eeb0b303a
views/operate/views/step_result_audit 11b389b43a3765d5
views/operate/views/step_result_log 519574b60ead75f3
views/operate/views/task_transitions 6be31b2e2da5839a
views/operate/views/workflow_step_result_audit 00bd7cdd038bb597
views/operate/views/workflow_step_transitions 6909045e6e7b2e10
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000500';

drop view tasker.step_result_audit;
drop view tasker.workflow_step_result_audit;
drop view tasker.step_result_log;
drop view tasker.step_edges;
drop view tasker.workflow_step_edges;
drop view tasker.workflow_step_transitions;
drop view tasker.task_transitions;
drop function tasker.task_caller;
drop function tasker.step_caller;
drop function tasker.step_path;
drop function tasker.task_path;
drop trigger task_identities_refuse_delete on tasker.task_identities;
drop trigger named_task_edges_no_truncate on tasker.named_task_edges;
drop trigger named_task_edges_check_delete on tasker.named_task_edges;
drop trigger named_task_edges_check_update on tasker.named_task_edges;
drop trigger named_task_edges_check_insert on tasker.named_task_edges;
drop function tasker.refuse_graph_change;
drop trigger added_step_edges_check_update on tasker.added_step_edges;
drop trigger added_step_edges_check_insert on tasker.added_step_edges;
drop function tasker.check_step_edges;
drop trigger step_streams_refuse_delete on tasker.step_streams;
drop trigger stream_items_refuse_change on tasker.stream_items;
drop trigger kept_results_refuse_change on tasker.kept_results;
drop trigger workflow_steps_check_insert on tasker.workflow_steps;
drop trigger settings_refuse_key_update on tasker.settings;
drop trigger broadcasts_refuse_key_update on tasker.broadcasts;
drop trigger task_signals_refuse_key_update on tasker.task_signals;
drop trigger task_signals_refuse_delete on tasker.task_signals;
drop trigger tasks_dlq_refuse_key_update on tasker.tasks_dlq;
drop trigger tasks_dlq_refuse_delete on tasker.tasks_dlq;
drop trigger workflow_steps_refuse_key_update on tasker.workflow_steps;
drop trigger workflow_steps_refuse_delete on tasker.workflow_steps;
drop trigger tasks_refuse_key_update on tasker.tasks;
drop trigger tasks_refuse_delete on tasker.tasks;
drop function tasker.refuse_identity_delete;
drop function tasker.check_step_tasks;
drop function tasker.refuse_stream_change;
drop function tasker.refuse_kept_change;
drop function tasker.refuse_run_change;
drop trigger step_log_paths_no_truncate on tasker.step_log_paths;
drop trigger task_log_paths_no_truncate on tasker.task_log_paths;
drop trigger step_log_paths_append_only on tasker.step_log_paths;
drop trigger task_log_paths_append_only on tasker.task_log_paths;
drop trigger step_log_no_truncate on tasker.step_log;
drop trigger task_log_no_truncate on tasker.task_log;
drop trigger step_log_append_only on tasker.step_log;
drop trigger task_log_append_only on tasker.task_log;
drop function tasker.refuse_log_change;
drop function tasker.raise_erased;
drop view tasker.step_results;
drop function tasker.step_move;
drop view tasker.step_moves;
drop view tasker.task_facts;
drop table tasker.tasks_dlq;
drop table tasker.lease_clock;
drop table tasker.sleepers;
drop table tasker.workers;
drop table tasker.task_attributes;
drop table tasker.template_attributes;
drop table tasker.attributes;
drop table tasker.stream_items;
drop table tasker.step_streams;
drop table tasker.kept_results;
drop table tasker.task_signals;
drop table tasker.broadcast_retries;
drop table tasker.event_triggers;
drop table tasker.broadcast_receipts;
drop table tasker.broadcasts;
drop table tasker.waits;
drop table tasker.failed_timers;
drop table tasker.runs;
drop table tasker.full_trees;
drop table tasker.timers;
drop table tasker.finalization_claims;
drop table tasker.waiting_tasks;
drop table tasker.limit_input_bounds;
drop table tasker.limit_notes;
drop table tasker.limit_lines;
drop table tasker.limit_keys;
drop table tasker.step_queue;
drop table tasker.task_identities;
drop view tasker.workflow_step_transition_log;
drop view tasker.task_transition_log;
drop table tasker.step_log;
drop table tasker.task_log;
drop table tasker.added_step_edges;
drop table tasker.workflow_steps;
drop table tasker.tasks;
drop function tasker.check_step_row;
drop function tasker.check_task_row;

reset role;
