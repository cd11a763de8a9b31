-- runs: tasks, steps, their history, and the small hot tables beside them
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/tables/tasks.sql
create table tasker.tasks (
  task_uuid                   uuid               not null,
  named_task_uuid             uuid               not null,
  state                       tasker.task_state  not null  default 'pending',
  complete                    boolean            not null  generated always as (
    state in ('complete', 'error', 'cancelled', 'resolved_manually')
  ) stored,
  has_added_edges             boolean            not null  default false,
  priority                    integer            not null  default 0,
  total_steps                 integer            not null  default 0,
  open_steps                  integer            not null  default 0,
  active_steps                integer            not null  default 0,
  retrying_steps              integer            not null  default 0,
  failed_steps                integer            not null  default 0,
  transition_count            integer            not null  default 0,
  requested_at                timestamptz        not null  default tasker.clock(),
  updated_at                  timestamptz        not null  default tasker.clock(),
  started_at                  timestamptz,
  completed_at                timestamptz,
  deadline                    timestamptz,
  discovered_until            timestamptz,
  finalization_claimed_at     timestamptz,
  finalization_claimed_until  timestamptz,
  finalization_claimed_by     uuid,
  processor_uuid              uuid,
  correlation_id              uuid               not null,
  parent_correlation_id       uuid,
  identity_hash               bytea,
  initiator                   text,
  source_system               text,
  reason                      text,
  tags                        text[]             not null  default '{}',
  headers                     jsonb              not null  default '{}',
  context                     jsonb              not null  default '{}',

  constraint tasks_pkey
    primary key (task_uuid),
  constraint tasks_task_uuid_check
    check (tasker.is_task_uuid(task_uuid)),
  constraint tasks_counters_check
    check (
      least(
        active_steps, retrying_steps, failed_steps,
        open_steps - active_steps - retrying_steps,
        total_steps - open_steps - failed_steps,
        65535 - total_steps
      ) >= 0
    ),
  constraint tasks_complete_has_no_open_steps_check
    check (state <> 'complete' or (open_steps = 0 and failed_steps = 0)),
  constraint tasks_ended_has_no_active_steps_check
    check (not complete or (active_steps = 0 and retrying_steps = 0)),
  constraint tasks_completed_at_check
    check (complete = (completed_at is not null)),
  constraint tasks_finalization_claimed_check
    check (num_nulls(finalization_claimed_at, finalization_claimed_until, finalization_claimed_by) in (0, 3)),
  constraint tasks_headers_check
    check (jsonb_typeof(headers) = 'object'),
  constraint tasks_context_check
    check (jsonb_typeof(context) = 'object')
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

comment on index tasker.tasks_open_idx is
  'Serves retention (is a range still in use?), health and staleness. Its predicate changes once in a task''s life, so updates stay HOT.';
comment on index tasker.tasks_template_idx is
  'Serves lists of a template''s tasks, newest first.';
comment on index tasker.tasks_correlation_idx is
  'Serves tracing: the tasks of one request.';
comment on index tasker.tasks_parent_correlation_idx is
  'Serves tracing: the tasks that a request''s tasks caused.';

comment on table tasker.tasks is
  'One run of a template. Its current state is here, its history in tasker.task_transition_log.';
comment on column tasker.tasks.task_uuid is
  'Version 7 with the last 16 bits zero, where its steps carry their number. Partitions are ranges of it, which is of time.';
comment on column tasker.tasks.complete is
  'Whether the task has ended, in whatever way.';
comment on column tasker.tasks.has_added_edges is
  'Whether it has rows in tasker.added_step_edges, which need be read of no other task.';
comment on column tasker.tasks.open_steps is
  'Steps that are neither done nor failed.';
comment on column tasker.tasks.active_steps is
  'Steps in the processing pipeline: enqueued, with a worker, or with a result that waits.';
comment on column tasker.tasks.transition_count is
  'Rows of its log, and so the sort_key of the newest one.';
comment on column tasker.tasks.processor_uuid is
  'Who made the newest transition into an active state; null in the others.';

revoke all on table tasker.tasks from public;
-- <<<

-- >>> db/schema/tables/workflow_steps.sql
create table tasker.workflow_steps (
  task_uuid                uuid               not null,
  step_no                  integer            not null,
  workflow_step_uuid       uuid               not null  generated always as (
    tasker.step_uuid(task_uuid, step_no)
  ) stored,
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
  priority                 integer            not null  default 0,
  transition_count         integer            not null  default 0,
  timeout_seconds          integer,
  backoff_base_seconds     tasker.backoff_base,
  backoff_multiplier       tasker.backoff_multiplier,
  max_backoff_seconds      tasker.backoff_limit,
  backoff_request_seconds  integer,
  created_at               timestamptz        not null  default tasker.clock(),
  last_attempted_at        timestamptz,
  last_failure_at          timestamptz,
  next_retry_at            timestamptz,
  lease_until              timestamptz,
  processed_at             timestamptz,
  worker_uuid              uuid,
  last_error               text,
  inputs                   jsonb              not null  default '{}',
  results                  jsonb,
  checkpoint               jsonb,

  constraint workflow_steps_pkey
    primary key (task_uuid, step_no),
  constraint workflow_steps_step_no_check
    check (step_no between 1 and 65535),
  constraint workflow_steps_parents_check
    check (least(pending_parents, satisfied_parents, total_parents - pending_parents - satisfied_parents) >= 0),
  constraint workflow_steps_runs_after_its_parents_check
    check (
      pending_parents = 0
      or state in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
    ),
  constraint workflow_steps_attempts_check
    check (least(attempts, lost_count, claim_no) >= 0 and max_attempts between 1 and 10000),
  constraint workflow_steps_lease_check
    check ((lease_until is not null) = (state = 'in_progress')),
  constraint workflow_steps_retry_check
    check ((next_retry_at is not null) = (state = 'waiting_for_retry')),
  constraint workflow_steps_processed_at_check
    check ((processed_at is not null) = (state in ('complete', 'resolved_manually'))),
  constraint workflow_steps_backoff_check
    check (backoff_request_seconds >= 0),
  constraint workflow_steps_timeout_seconds_check
    check (timeout_seconds > 0)
) partition by range (task_uuid);

comment on table tasker.workflow_steps is
  'One step of a task. Its current state is here, its history in tasker.workflow_step_transition_log.';
comment on column tasker.workflow_steps.workflow_step_uuid is
  'The task''s UUID with step_no in the last 16 bits. Not indexed: functions split it and use the key.';
comment on column tasker.workflow_steps.name is
  'Its name in the template, under which its children find its results.';
comment on column tasker.workflow_steps.pending_parents is
  'Parents that have not settled yet.';
comment on column tasker.workflow_steps.satisfied_parents is
  'Edges from settled parents that are satisfied: the parent succeeded and the edge''s condition holds.';
comment on column tasker.workflow_steps.claim_no is
  'Grows with every claim and is never reset: the fence against results of an earlier one.';
comment on column tasker.workflow_steps.attempts is
  'Counts towards max_attempts; given back when the worker was lost or handed the step back, reset by operators.';
comment on column tasker.workflow_steps.backoff_request_seconds is
  'What a worker asked for with its failure; goes before the template''s policy.';
comment on column tasker.workflow_steps.transition_count is
  'Rows of its log, and so the sort_key of the newest one.';

revoke all on table tasker.workflow_steps from public;
-- <<<

-- >>> db/schema/tables/added_step_edges.sql
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
  'Serves the look from a step to its parents: their results at a claim, readiness.';

comment on table tasker.added_step_edges is
  'The dependencies that a running task got beyond those of its template; tasker.workflow_step_edges has them all. Both ends are steps of the same task: by the key, and by a trigger that stands for the foreign keys. A cycle is refused by the functions that insert.';
comment on column tasker.added_step_edges.condition is
  'A predicate on the parent''s results; null is satisfied by any success.';

revoke all on table tasker.added_step_edges from public;
-- <<<

-- >>> db/schema/tables/task_transition_log.sql
create table tasker.task_transition_log (
  task_uuid       uuid               not null,
  sort_key        integer            not null,
  event           text               not null,
  from_state      tasker.task_state  not null,
  to_state        tasker.task_state  not null,
  processor_uuid  uuid,
  actor           text,
  reason          text,
  metadata        jsonb,
  created_at      timestamptz        not null  default tasker.clock(),

  constraint task_transition_log_pkey
    primary key (task_uuid, sort_key)
) partition by range (task_uuid);

create index task_transition_log_created_idx
  on tasker.task_transition_log using brin (created_at) with (pages_per_range = 32);

comment on index tasker.task_transition_log_created_idx is
  'Serves the rollups: what happened to tasks since the last one. BRIN, because rows come in the order of time.';

comment on table tasker.task_transition_log is
  'Every transition of a task, inserted once and never changed. The newest one''s sort_key is the task''s transition_count.';
comment on column tasker.task_transition_log.actor is
  'The role of a direct caller or operator; null when the engine moved the task.';

revoke all on table tasker.task_transition_log from public;
-- <<<

-- >>> db/schema/tables/workflow_step_transition_log.sql
create table tasker.workflow_step_transition_log (
  task_uuid          uuid               not null,
  step_no            integer            not null,
  sort_key           integer            not null,
  event              text               not null,
  from_state         tasker.step_state  not null,
  to_state           tasker.step_state  not null,
  claim_no           integer            not null  default 0,
  execution_time_ms  bigint,
  worker_uuid        uuid,
  actor              text,
  reason             text,
  metadata           jsonb,
  created_at         timestamptz        not null  default tasker.clock(),

  constraint workflow_step_transition_log_pkey
    primary key (task_uuid, step_no, sort_key),
  constraint workflow_step_transition_log_execution_time_ms_check
    check (execution_time_ms >= 0)
) partition by range (task_uuid);

create index workflow_step_transition_log_created_idx
  on tasker.workflow_step_transition_log using brin (created_at) with (pages_per_range = 32);

comment on index tasker.workflow_step_transition_log_created_idx is
  'Serves the rollups: what happened to steps since the last one. BRIN, because rows come in the order of time.';

comment on table tasker.workflow_step_transition_log is
  'Every transition of a step, inserted once and never changed. The newest one''s sort_key is the step''s transition_count.';
comment on column tasker.workflow_step_transition_log.claim_no is
  'The step''s claim number when the transition was made: which claim a result or a loss belongs to.';
comment on column tasker.workflow_step_transition_log.actor is
  'The role of a direct caller or operator; null when the engine moved the step.';

revoke all on table tasker.workflow_step_transition_log from public;
-- <<<

-- >>> db/schema/tables/workflow_step_result_audit.sql
create table tasker.workflow_step_result_audit (
  task_uuid          uuid         not null,
  step_no            integer      not null,
  sort_key           integer      not null,
  recorded_at        timestamptz  not null  default tasker.clock(),
  worker_uuid        uuid,
  correlation_id     uuid,
  success            boolean      not null,
  execution_time_ms  bigint,

  constraint workflow_step_result_audit_pkey
    primary key (task_uuid, step_no, sort_key)
) partition by range (task_uuid);

create index workflow_step_result_audit_recorded_idx
  on tasker.workflow_step_result_audit using brin (recorded_at) with (pages_per_range = 32);

comment on index tasker.workflow_step_result_audit_recorded_idx is
  'Serves audit reports over a range of time; BRIN, because rows come in the order of time.';

comment on table tasker.workflow_step_result_audit is
  'Who recorded which result: one row for each, made by a trigger on the step log, referring to its row by the key.';

revoke all on table tasker.workflow_step_result_audit from public;
-- <<<

-- >>> db/schema/tables/task_identities.sql
create table tasker.task_identities (
  identity_hash  bytea        not null,
  task_uuid      uuid         not null,
  created_at     timestamptz  not null  default tasker.clock(),
  expires_at     timestamptz,

  constraint task_identities_pkey
    primary key (identity_hash),
  constraint task_identities_identity_hash_check
    check (octet_length(identity_hash) = 32)
);

create index task_identities_task_idx
  on tasker.task_identities (task_uuid);

create index task_identities_expiry_idx
  on tasker.task_identities (expires_at)
  where expires_at is not null;

comment on index tasker.task_identities_task_idx is
  'Serves the collection of identities whose tasks retention has dropped.';
comment on index tasker.task_identities_expiry_idx is
  'Serves the collection of identities that have expired. Most have no such time and are not in it.';

comment on table tasker.task_identities is
  'Which request made which task: a repeat finds its task here. Not partitioned, so that it is unique over all time.';
comment on column tasker.task_identities.expires_at is
  'Null: as long as the task exists.';

revoke all on table tasker.task_identities from public;
-- <<<

-- >>> db/schema/tables/step_queue.sql
create table tasker.step_queue (
  task_uuid        uuid               not null,
  step_no          integer            not null,
  namespace        text               not null,
  lane             tasker.queue_lane  not null,
  named_step_uuid  uuid               not null,
  claim_no         integer            not null  default 0,
  visible_at       timestamptz        not null,

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
  'Serves claims: the oldest ready steps of a handler in a namespace''s lane, without a look at other handlers'' or at running ones; and the running ones whose lease has ended.';

comment on table tasker.step_queue is
  'The truth about what may run: one row for each step in the processing pipeline. Small, not partitioned, hot.';
comment on column tasker.step_queue.visible_at is
  'From when the row may be taken: since when a step is ready or its result waits, or the end of its worker''s lease.';

revoke all on table tasker.step_queue from public;
-- <<<

-- >>> db/schema/tables/waiting_tasks.sql
create table tasker.waiting_tasks (
  task_uuid         uuid              not null,
  priority          integer           not null  default 0,
  waiting_since     timestamptz       not null  default tasker.clock(),
  deferred          boolean           not null  default false,
  dispatch_rank     double precision  not null  default extract(epoch from tasker.clock()) / -36000,
  discovered_until  timestamptz,

  constraint waiting_tasks_pkey
    primary key (task_uuid)
) with (fillfactor = 80);

create index waiting_tasks_dispatch_idx
  on tasker.waiting_tasks (deferred, dispatch_rank desc, task_uuid)
  where discovered_until is null;

create index waiting_tasks_discovered_idx
  on tasker.waiting_tasks (discovered_until)
  where discovered_until is not null;

comment on index tasker.waiting_tasks_dispatch_idx is
  'Serves discovery, orchestrators, and workers for what is not deferred: the next tasks by computed priority, without a look at those that somebody has.';
comment on index tasker.waiting_tasks_discovered_idx is
  'Serves the return of tasks whose discoverer did nothing.';

comment on table tasker.waiting_tasks is
  'Tasks that wait for an orchestrator: not started, or touched by a direct call and so to be evaluated. Small, not partitioned.';
comment on column tasker.waiting_tasks.deferred is
  'Its start was left to an orchestrator; what is not deferred a worker''s claim moves on as well.';
comment on column tasker.waiting_tasks.dispatch_rank is
  'Its computed priority without what age adds, less what has been added to all others until it came: all grow older alike, so the order holds while time passes. tasker.dispatch_rank makes it, maintenance brings it up to date.';
comment on column tasker.waiting_tasks.discovered_until is
  'Until when it is not handed out again; null: free. A copy of the task''s own, for the index.';

revoke all on table tasker.waiting_tasks from public;
-- <<<

-- >>> db/schema/tables/timers.sql
create table tasker.timers (
  task_uuid  uuid               not null,
  step_no    integer            not null  default 0,
  kind       tasker.timer_kind  not null,
  due_at     timestamptz        not null,

  constraint timers_pkey
    primary key (task_uuid, step_no, kind),
  constraint timers_step_no_check
    check ((step_no > 0) = (kind = 'retry_step'))
) with (fillfactor = 80);

create index timers_due_idx
  on tasker.timers (due_at);

comment on index tasker.timers_due_idx is
  'Serves the firing of what is due, and how long a client may sleep.';

comment on table tasker.timers is
  'What is due later: a task''s start, a step''s next attempt, a task''s deadline. Small, not partitioned.';

revoke all on table tasker.timers from public;
-- <<<

-- >>> db/schema/tables/workers.sql
create table tasker.workers (
  worker_uuid        uuid         not null,
  name               text         not null,
  namespaces         text[]       not null  default '{}',
  registered_at      timestamptz  not null  default tasker.clock(),
  last_seen_at       timestamptz  not null  default tasker.clock(),
  claimed_count      bigint       not null  default 0,
  request_uuid       uuid,
  request_steps      uuid[],
  request_claim_nos  integer[],

  constraint workers_pkey
    primary key (worker_uuid),
  constraint workers_name_check
    check (length(name) between 1 and 200),
  constraint workers_claimed_count_check
    check (claimed_count >= 0),
  constraint workers_request_check
    check (cardinality(request_steps) = cardinality(request_claim_nos))
) with (fillfactor = 50);

comment on table tasker.workers is
  'Worker processes, by the UUID that their claims carry.';

comment on column tasker.workers.request_uuid is
  'The newest claim that came with a request''s UUID, and what it handed out: repeated, it hands out the same.';

revoke all on table tasker.workers from public;
-- <<<

-- >>> db/schema/tables/tasks_dlq.sql
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
  'A task is under one investigation at a time.';
comment on index tasker.tasks_dlq_task_idx is
  'Serves the history of a task''s investigations, and retention, which holds the ranges of pending ones.';

comment on table tasker.tasks_dlq is
  'Investigations of tasks that did not make progress, each with a snapshot of what was found.';

revoke all on table tasker.tasks_dlq from public;
-- <<<

-- >>> db/schema/functions/internal/refuse_log_change.sql
create or replace function tasker.refuse_log_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('rows of tasker.%s are never changed or deleted', tg_argv[0]),
    hint    = 'History is append-only; old ranges of it go as whole partitions.';
end;
$$;

comment on function tasker.refuse_log_change() is
$$Trigger function: keeps the logs and the audit append-only, for their owner and superusers too. Raises TK403.$$;

revoke all on function tasker.refuse_log_change() from public;
-- <<<

-- >>> db/schema/triggers/append_only.sql
-- Partitions inherit the row-level triggers; the manager gives them the statement-level ones.
create or replace trigger task_transition_log_append_only
  before update or delete on tasker.task_transition_log
  for each row execute function tasker.refuse_log_change('task_transition_log');

create or replace trigger workflow_step_transition_log_append_only
  before update or delete on tasker.workflow_step_transition_log
  for each row execute function tasker.refuse_log_change('workflow_step_transition_log');

create or replace trigger workflow_step_result_audit_append_only
  before update or delete on tasker.workflow_step_result_audit
  for each row execute function tasker.refuse_log_change('workflow_step_result_audit');

create or replace trigger task_transition_log_no_truncate
  before truncate on tasker.task_transition_log
  for each statement execute function tasker.refuse_log_change('task_transition_log');

create or replace trigger workflow_step_transition_log_no_truncate
  before truncate on tasker.workflow_step_transition_log
  for each statement execute function tasker.refuse_log_change('workflow_step_transition_log');

create or replace trigger workflow_step_result_audit_no_truncate
  before truncate on tasker.workflow_step_result_audit
  for each statement execute function tasker.refuse_log_change('workflow_step_result_audit');

comment on trigger task_transition_log_append_only on tasker.task_transition_log is
  'Refuses every change of a row with TK403.';
comment on trigger workflow_step_transition_log_append_only on tasker.workflow_step_transition_log is
  'Refuses every change of a row with TK403.';
comment on trigger workflow_step_result_audit_append_only on tasker.workflow_step_result_audit is
  'Refuses every change of a row with TK403.';
comment on trigger task_transition_log_no_truncate on tasker.task_transition_log is
  'Refuses to empty the table or one of its partitions with TK403.';
comment on trigger workflow_step_transition_log_no_truncate on tasker.workflow_step_transition_log is
  'Refuses to empty the table or one of its partitions with TK403.';
comment on trigger workflow_step_result_audit_no_truncate on tasker.workflow_step_result_audit is
  'Refuses to empty the table or one of its partitions with TK403.';
-- <<<

-- >>> db/schema/functions/internal/check_task_transitions.sql
create or replace function tasker.check_task_transitions()
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
  v_message text;
begin
  select format('task %s cannot go from %s to %s by event "%s"', n.task_uuid, n.from_state, n.to_state, n.event)
    into v_message
    from new_rows as n
   where not exists (
     select
       from tasker.task_state_machine as m
      where m.from_state = n.from_state
        and m.event = n.event
        and m.to_state = n.to_state
   )
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = v_message,
      hint    = 'tasker.list_task_transitions() shows every transition that is allowed.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_task_transitions() is
$$Trigger function: a transition that the state machine does not hold cannot be logged, whoever asks. Raises TK409.$$;

revoke all on function tasker.check_task_transitions() from public;
-- <<<

-- >>> db/schema/functions/internal/check_step_transitions.sql
create or replace function tasker.check_step_transitions()
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
  v_message text;
begin
  select format('step %s cannot go from %s to %s by event "%s"', tasker.step_uuid(n.task_uuid, n.step_no), n.from_state, n.to_state, n.event)
    into v_message
    from new_rows as n
   where not exists (
     select
       from tasker.step_state_machine as m
      where m.from_state = n.from_state
        and m.event = n.event
        and m.to_state = n.to_state
   )
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = v_message,
      hint    = 'tasker.list_step_transitions() shows every transition that is allowed.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_step_transitions() is
$$Trigger function: a transition that the state machine does not hold cannot be logged, whoever asks. Raises TK409.$$;

revoke all on function tasker.check_step_transitions() from public;
-- <<<

-- >>> db/schema/functions/internal/audit_step_results.sql
create or replace function tasker.audit_step_results()
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
  -- Partitions outside the span of these tasks are not opened.
  v_tasks uuid[] := array(
    select distinct n.task_uuid
      from new_rows as n
     where n.event in ('EnqueueForOrchestration', 'CompleteManually')
     order by n.task_uuid
  );
begin
  if v_tasks = '{}' then
    return null;
  end if;

  insert into tasker.workflow_step_result_audit (
    task_uuid, step_no, sort_key, recorded_at, worker_uuid, correlation_id, success, execution_time_ms
  )
  select
    n.task_uuid,
    n.step_no,
    n.sort_key,
    n.created_at,
    n.worker_uuid,
    t.correlation_id,
    n.to_state <> 'enqueued_as_error_for_orchestration',
    n.execution_time_ms
  from new_rows as n
  cross join lateral (
    select t.correlation_id
      from tasker.tasks as t
     where t.task_uuid = n.task_uuid
       and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
    offset 0
  ) as t
  where n.event in ('EnqueueForOrchestration', 'CompleteManually');
  return null;
end;
$$;

comment on function tasker.audit_step_results() is
$$Trigger function: writes the audit row of every result that is recorded, by whatever path it is recorded.$$;

revoke all on function tasker.audit_step_results() from public;
-- <<<

-- >>> db/schema/triggers/transitions.sql
create or replace trigger task_transition_log_check
  after insert on tasker.task_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.check_task_transitions();

create or replace trigger workflow_step_transition_log_audit
  after insert on tasker.workflow_step_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.audit_step_results();

create or replace trigger workflow_step_transition_log_check
  after insert on tasker.workflow_step_transition_log
  referencing new table as new_rows
  for each statement execute function tasker.check_step_transitions();

comment on trigger task_transition_log_check on tasker.task_transition_log is
  'Holds the log, and with it the task, to the state machine.';
comment on trigger workflow_step_transition_log_audit on tasker.workflow_step_transition_log is
  'No path can record a result without its audit row.';
comment on trigger workflow_step_transition_log_check on tasker.workflow_step_transition_log is
  'Holds the log, and with it the step, to the state machine.';
-- <<<

-- >>> db/schema/functions/internal/check_step_edges.sql
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
     -- "offset 0" keeps each look a probe of the whole key, however wide the task is.
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

comment on function tasker.check_step_edges() is
$$Trigger function: both ends of an added edge are steps of its task, and its template does not have the same one; the task is marked as having added edges. Raises TK422 and TK409.

In place of two foreign keys: steps are never deleted but with their whole partition, and a statement's edges are checked together.$$;

revoke all on function tasker.check_step_edges() from public;
-- <<<

-- >>> db/schema/triggers/step_edges.sql
create or replace trigger added_step_edges_check_insert
  after insert on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

create or replace trigger added_step_edges_check_update
  after update on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

comment on trigger added_step_edges_check_insert on tasker.added_step_edges is
  'Stands for the foreign keys to workflow_steps.';
comment on trigger added_step_edges_check_update on tasker.added_step_edges is
  'Stands for the foreign keys to workflow_steps.';
-- <<<

-- >>> db/schema/functions/internal/refuse_graph_change.sql
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
      message = format('the graph of template %s cannot change, there are tasks of it', v_template),
      detail  = 'Tasks read the edges of their template, none has a copy.',
      hint    = 'Register a new version, or add edges to a running task: tasker.add_step_edge().';
  end if;
  return null;
end;
$$;

comment on function tasker.refuse_graph_change() is
$$Trigger function: the edges of a template that tasks have stay as they are. Raises TK409.$$;

revoke all on function tasker.refuse_graph_change() from public;
-- <<<

-- >>> db/schema/triggers/template_edges.sql
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
  'The graph of a template that tasks have does not change.';
comment on trigger named_task_edges_check_update on tasker.named_task_edges is
  'The graph of a template that tasks have does not change.';
comment on trigger named_task_edges_check_delete on tasker.named_task_edges is
  'The graph of a template that tasks have does not change.';
comment on trigger named_task_edges_no_truncate on tasker.named_task_edges is
  'Tasks refer to the edges of their template for as long as they are kept.';
-- <<<

-- >>> db/schema/views/task_transitions.sql
create or replace view tasker.task_transitions as
select
  tasker.transition_uuid(l.task_uuid, 0, l.sort_key) as task_transition_uuid,
  l.task_uuid,
  l.to_state,
  l.from_state,
  l.event,
  l.processor_uuid,
  l.actor,
  l.reason,
  coalesce(l.metadata, '{}') as metadata,
  coalesce(l.metadata, '{}') as transition_metadata,
  l.sort_key,
  l.sort_key = t.transition_count as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.task_transition_log as l
join tasker.tasks as t
  on t.task_uuid = l.task_uuid
union all
select
  tasker.transition_uuid(t.task_uuid, 0, 0),
  t.task_uuid,
  'pending',
  null,
  'Create',
  null,
  t.initiator,
  t.reason,
  '{}',
  '{}',
  0,
  0 = t.transition_count,
  t.requested_at,
  t.requested_at
from tasker.tasks as t;

comment on view tasker.task_transitions is
  'The history of tasks, the creation included. "where task_uuid = … and most_recent" reads one row however long the history is; "most_recent is true" would read it all.';

revoke all on table tasker.task_transitions from public;
grant select on table tasker.task_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/workflow_step_transitions.sql
create or replace view tasker.workflow_step_transitions as
select
  tasker.transition_uuid(l.task_uuid, l.step_no, l.sort_key) as workflow_step_transition_uuid,
  s.workflow_step_uuid,
  l.task_uuid,
  l.step_no,
  l.to_state,
  l.from_state,
  l.event,
  l.claim_no,
  l.worker_uuid,
  l.actor,
  l.reason,
  coalesce(l.metadata, '{}') as metadata,
  coalesce(l.metadata, '{}') as transition_metadata,
  l.execution_time_ms,
  l.sort_key,
  l.sort_key = s.transition_count as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.workflow_step_transition_log as l
join tasker.workflow_steps as s
  on s.task_uuid = l.task_uuid
 and s.step_no = l.step_no
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
  '{}',
  '{}',
  null,
  0,
  0 = s.transition_count,
  s.created_at,
  s.created_at
from tasker.workflow_steps as s;

comment on view tasker.workflow_step_transitions is
  'The history of steps, the creation included. Name the task, or the task and step_no: "… and most_recent" then reads one row of a step however long its history is.';

revoke all on table tasker.workflow_step_transitions from public;
grant select on table tasker.workflow_step_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/workflow_step_edges.sql
create or replace view tasker.workflow_step_edges as
select
  t.task_uuid,
  e.from_step_no,
  e.to_step_no,
  'provides' as name,
  e.condition
from tasker.tasks as t
join tasker.named_task_edges as e
  on e.named_task_uuid = t.named_task_uuid
union all
select
  a.task_uuid,
  a.from_step_no,
  a.to_step_no,
  a.name,
  a.condition
from tasker.added_step_edges as a;

comment on view tasker.workflow_step_edges is
  'The dependencies between the steps of a task: those of its template, which no task copies, and those that were added to it. Name the task, so that the keys are used.';
comment on column tasker.workflow_step_edges.condition is
  'The template''s "when": a predicate on the parent''s results; null is satisfied by any success.';

revoke all on table tasker.workflow_step_edges from public;
grant select on table tasker.workflow_step_edges to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/step_edges.sql
create or replace view tasker.step_edges as
select
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition
from tasker.workflow_step_edges as e;

comment on view tasker.step_edges is
  'The dependencies between steps by their UUIDs. Name the task, so that the key is used.';

revoke all on table tasker.step_edges from public;
grant select on table tasker.step_edges to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/views/step_result_audit.sql
create or replace view tasker.step_result_audit as
select
  a.task_uuid,
  tasker.step_uuid(a.task_uuid, a.step_no) as workflow_step_uuid,
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_transition_uuid,
  a.recorded_at,
  a.worker_uuid,
  a.correlation_id,
  a.success,
  a.execution_time_ms
from tasker.workflow_step_result_audit as a;

comment on view tasker.step_result_audit is
  'Who recorded which result, by the UUIDs of the step and of its transition.';

revoke all on table tasker.step_result_audit from public;
grant select on table tasker.step_result_audit to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop view tasker.step_result_audit;
drop view tasker.step_edges;
drop view tasker.workflow_step_edges;
drop view tasker.workflow_step_transitions;
drop view tasker.task_transitions;
drop trigger named_task_edges_no_truncate on tasker.named_task_edges;
drop trigger named_task_edges_check_delete on tasker.named_task_edges;
drop trigger named_task_edges_check_update on tasker.named_task_edges;
drop trigger named_task_edges_check_insert on tasker.named_task_edges;
drop function tasker.refuse_graph_change;
drop trigger added_step_edges_check_update on tasker.added_step_edges;
drop trigger added_step_edges_check_insert on tasker.added_step_edges;
drop function tasker.check_step_edges;
drop trigger workflow_step_transition_log_check on tasker.workflow_step_transition_log;
drop trigger workflow_step_transition_log_audit on tasker.workflow_step_transition_log;
drop trigger task_transition_log_check on tasker.task_transition_log;
drop function tasker.audit_step_results;
drop function tasker.check_step_transitions;
drop function tasker.check_task_transitions;
drop trigger workflow_step_result_audit_no_truncate on tasker.workflow_step_result_audit;
drop trigger workflow_step_transition_log_no_truncate on tasker.workflow_step_transition_log;
drop trigger task_transition_log_no_truncate on tasker.task_transition_log;
drop trigger workflow_step_result_audit_append_only on tasker.workflow_step_result_audit;
drop trigger workflow_step_transition_log_append_only on tasker.workflow_step_transition_log;
drop trigger task_transition_log_append_only on tasker.task_transition_log;
drop function tasker.refuse_log_change;
drop table tasker.tasks_dlq;
drop table tasker.workers;
drop table tasker.timers;
drop table tasker.waiting_tasks;
drop table tasker.step_queue;
drop table tasker.task_identities;
drop table tasker.workflow_step_result_audit;
drop table tasker.workflow_step_transition_log;
drop table tasker.task_transition_log;
drop table tasker.added_step_edges;
drop table tasker.workflow_steps;
drop table tasker.tasks;

reset role;
