-- engine: claims, results, evaluation, time
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/tables/worker_namespaces.sql
create table tasker.worker_namespaces (
  role_name  text         not null,
  namespace  text         not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.caller_name(),

  constraint worker_namespaces_pkey
    primary key (role_name, namespace),
  constraint worker_namespaces_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

create index worker_namespaces_namespace_idx
  on tasker.worker_namespaces (namespace);

comment on index tasker.worker_namespaces_namespace_idx is
  'Serves the foreign key to task_namespaces.';

comment on table tasker.worker_namespaces is
  'Which namespaces a database role may work in. A role without a row may work in all.';

revoke all on table tasker.worker_namespaces from public;
-- <<<

-- >>> db/schema/tables/claimed_steps.sql
create table tasker.claimed_steps (
  step_uuid              uuid         not null,
  claim_no               integer      not null,
  task_uuid              uuid         not null,
  step_no                integer      not null,
  namespace              text         not null,
  task_name              text         not null,
  task_version           text         not null,
  name                   text         not null,
  handler                text         not null,
  attempt                integer      not null,
  max_attempts           integer      not null,
  lost_count             integer      not null,
  priority               integer      not null,
  lease_until            timestamptz  not null,
  timeout_seconds        integer,
  correlation_id         uuid         not null,
  parent_correlation_id  uuid,
  headers                jsonb        not null,
  inputs                 jsonb        not null,
  checkpoint             jsonb,
  last_error             text,
  context                jsonb,
  parent_results         jsonb,

  constraint claimed_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.claimed_steps is
  'Row type: a step as a claim hands it out, with all that its handler needs.';
comment on column tasker.claimed_steps.claim_no is
  'Belongs to the result: complete_steps and fail_steps refuse another claim''s.';
comment on column tasker.claimed_steps.attempt is
  'This attempt''s number, from 1.';
comment on column tasker.claimed_steps.last_error is
  'What the attempt before failed with; null on the first.';
comment on column tasker.claimed_steps.context is
  'The task''s context; null if it is too large for a claim of so many steps: tasker.get_task(task_uuid) has it.';
comment on column tasker.claimed_steps.parent_results is
  'The results of the parents that succeeded, by their names; null if they are too large for a claim of so many steps: tasker.get_parent_results(step_uuid) has them.';

revoke all on table tasker.claimed_steps from public;
-- <<<

-- >>> db/schema/tables/step_answers.sql
create table tasker.step_answers (
  step_uuid      uuid         not null,
  claim_no       integer      not null,
  answer         text         not null,
  next_retry_at  timestamptz,

  constraint step_answers_row_type_check
    check (false) no inherit
);

comment on table tasker.step_answers is
  'Row type: what became of one step''s result.';
comment on column tasker.step_answers.answer is
  'completed; retrying, failed; recorded (an orchestrator processes it); already_complete; stale (the claim is no longer the current one); cancelled; too_large; not_found; busy (somebody holds the task: send it again).';

revoke all on table tasker.step_answers from public;
-- <<<

-- >>> db/schema/tables/step_leases.sql
create table tasker.step_leases (
  step_uuid    uuid     not null,
  claim_no     integer  not null,
  answer       text     not null,
  lease_until  timestamptz,

  constraint step_leases_row_type_check
    check (false) no inherit
);

comment on table tasker.step_leases is
  'Row type: what became of the renewal of one step''s lease.';
comment on column tasker.step_leases.answer is
  'extended; stale (the claim is no longer the current one, or has its result); cancelled; not_found; busy (somebody has the step in hand at this moment).';

revoke all on table tasker.step_leases from public;
-- <<<

-- >>> db/schema/tables/step_exchanges.sql
create table tasker.step_exchanges (
  step_uuid              uuid     not null,
  claim_no               integer  not null,
  answer                 text,
  next_retry_at          timestamptz,
  task_uuid              uuid,
  step_no                integer,
  namespace              text,
  task_name              text,
  task_version           text,
  name                   text,
  handler                text,
  attempt                integer,
  max_attempts           integer,
  lost_count             integer,
  priority               integer,
  lease_until            timestamptz,
  timeout_seconds        integer,
  correlation_id         uuid,
  parent_correlation_id  uuid,
  headers                jsonb,
  inputs                 jsonb,
  checkpoint             jsonb,
  last_error             text,
  context                jsonb,
  parent_results         jsonb,

  constraint step_exchanges_row_type_check
    check (false) no inherit
);

comment on table tasker.step_exchanges is
  'Row type: the reply to an exchange: first a row of tasker.step_answers for each result, then one of tasker.claimed_steps for each step that was claimed.';
comment on column tasker.step_exchanges.answer is
  'Null in the rows of claimed steps.';

revoke all on table tasker.step_exchanges from public;
-- <<<

-- >>> db/schema/tables/parent_results.sql
create table tasker.parent_results (
  step_no    integer  not null,
  name       text     not null,
  results    jsonb,

  constraint parent_results_row_type_check
    check (false) no inherit
);

comment on table tasker.parent_results is
  'Row type: the result of one of a step''s parents.';

revoke all on table tasker.parent_results from public;
-- <<<

-- >>> db/schema/tables/worker_details.sql
create table tasker.worker_details (
  worker_uuid    uuid         not null,
  name           text         not null,
  namespaces     text[]       not null,
  registered_at  timestamptz  not null,
  last_seen_at   timestamptz  not null,
  claimed_count  bigint       not null,

  constraint worker_details_row_type_check
    check (false) no inherit
);

comment on table tasker.worker_details is
  'Row type: a worker process as people look at it.';

revoke all on table tasker.worker_details from public;
-- <<<

-- >>> db/schema/tables/orchestration_reports.sql
create table tasker.orchestration_reports (
  requests_processed  integer      not null,
  timers_fired        integer      not null,
  tasks_advanced      integer      not null,
  steps_recovered     integer      not null,
  results_processed   integer      not null,
  next_due_at         timestamptz,

  constraint orchestration_reports_row_type_check
    check (false) no inherit
);

comment on table tasker.orchestration_reports is
  'Row type: what one call of tasker.orchestrate did.';
comment on column tasker.orchestration_reports.next_due_at is
  'When there will be something to do; in the past or now, if there still is; null, if nothing is due ever.';

revoke all on table tasker.orchestration_reports from public;
-- <<<

-- >>> db/schema/functions/internal/check_isolation.sql
create or replace function tasker.check_isolation()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception using
      errcode = 'TK409',
      message = format('this function does not run in a transaction of isolation level %s', current_setting('transaction_isolation')),
      detail  = 'It reads what others have committed since the transaction began.',
      hint    = 'Call it in READ COMMITTED, best in a transaction of its own.';
  end if;
end;
$$;

comment on function tasker.check_isolation() is
$$Raises TK409 unless the transaction sees what others commit while it runs.$$;

revoke all on function tasker.check_isolation() from public;
-- <<<

-- >>> db/schema/functions/internal/check_limit.sql
create or replace function tasker.check_limit(p_limit integer, p_maximum integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and p_maximum then
    raise exception using
      errcode = 'TK422',
      message = format('a limit of %s is out of range', coalesce(p_limit::text, 'null')),
      hint    = format('It is from 1 to %s.', p_maximum);
  end if;
end;
$$;

comment on function tasker.check_limit(integer, integer) is
$$Raises TK422 unless a limit is from 1 to p_maximum.$$;

revoke all on function tasker.check_limit(integer, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/check_namespace_exists.sql
create or replace function tasker.check_namespace_exists(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from tasker.task_namespaces as n where n.name = p_namespace) then
    raise exception using
      errcode = 'TK404',
      message = format('namespace %s does not exist', coalesce('"' || left(p_namespace, 100) || '"', 'null')),
      hint    = 'Register it with tasker.register_namespace(name), or a template in it.';
  end if;
end;
$$;

comment on function tasker.check_namespace_exists(text) is
$$Raises TK404 if there is no such namespace.$$;

revoke all on function tasker.check_namespace_exists(text) from public;
-- <<<

-- >>> db/schema/functions/internal/bound_namespaces.sql
create or replace function tasker.bound_namespaces()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(b.namespace)
      from tasker.worker_namespaces as b
     where b.role_name = tasker.caller_name()
  );
end;
$$;

comment on function tasker.bound_namespaces() is
$$The namespaces that the caller's role is bound to; null if it may work in all.$$;

revoke all on function tasker.bound_namespaces() from public;
-- <<<

-- >>> db/schema/functions/internal/check_bound_namespaces.sql
create or replace function tasker.check_bound_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_other text;
begin
  if v_bound is null then
    return;
  end if;

  select u.namespace
    into v_other
    from unnest(p_namespaces) as u (namespace)
   where not u.namespace = any (v_bound)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK403',
      message = format('role "%s" may not work in namespace "%s"', tasker.caller_name(), v_other),
      detail  = format('It is bound to %s.', array_to_string(v_bound, ', ')),
      hint    = 'An operator binds it with tasker.bind_worker_role(role, namespaces).';
  end if;
end;
$$;

comment on function tasker.check_bound_namespaces(text[]) is
$$Raises TK403 if the caller's role is bound to other namespaces than these.$$;

revoke all on function tasker.check_bound_namespaces(text[]) from public;
-- <<<

-- >>> db/schema/functions/internal/check_bound_steps.sql
create or replace function tasker.check_bound_steps(p_step_uuids uuid[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- Most roles are bound to nothing: no need to look at the steps.
  if tasker.bound_namespaces() is null then
    return;
  end if;

  perform tasker.check_bound_namespaces(array_agg(distinct n.name))
     from unnest(p_step_uuids) as u (step_uuid)
     join tasker.tasks as t
       on t.task_uuid = tasker.task_uuid_of(u.step_uuid)
     join tasker.named_tasks as k
       on k.named_task_uuid = t.named_task_uuid
     join tasker.task_namespaces as n
       on n.task_namespace_uuid = k.task_namespace_uuid;
end;
$$;

comment on function tasker.check_bound_steps(uuid[]) is
$$Raises TK403 if the caller's role is bound to other namespaces than those of these steps.$$;

revoke all on function tasker.check_bound_steps(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/check_claim.sql
create or replace function tasker.check_claim(p_worker_uuid uuid, p_limit integer, p_lease_seconds integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_isolation();
  if p_worker_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'a claim names no worker',
      hint    = 'Any UUID will do that this process keeps: gen_random_uuid().';
  end if;
  if p_limit is null or p_limit not between 0 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('%s steps cannot be claimed at once', coalesce(p_limit::text, 'null')),
      hint    = 'The limit is from 0 to 1000.';
  end if;
  if p_lease_seconds not between 1 and 86400 then
    raise exception using
      errcode = 'TK422',
      message = format('a lease cannot last %s seconds', p_lease_seconds),
      hint    = 'It lasts from 1 to 86400 seconds; null is the setting "lease_seconds".';
  end if;
end;
$$;

comment on function tasker.check_claim(uuid, integer, integer) is
$$Raises TK422 if a claim names no worker, or its limit or its lease is out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.check_claim(uuid, integer, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/check_step_claims.sql
create or replace function tasker.check_step_claims(p_step_uuids uuid[], p_claim_nos integer[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps constant integer := coalesce(cardinality(p_step_uuids), 0);
begin
  if coalesce(cardinality(p_claim_nos), 0) <> v_steps
     or array_ndims(p_step_uuids) > 1
     or array_ndims(p_claim_nos) > 1
     or array_position(p_step_uuids, null) is not null
     or array_position(p_claim_nos, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'steps and claim numbers do not match',
      detail  = format('%s steps, %s claim numbers, none of which may be null.', v_steps, coalesce(cardinality(p_claim_nos), 0)),
      hint    = 'Give each step the claim number that its claim returned.';
  end if;
  if v_steps > 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s steps are too many for one call', v_steps),
      hint    = 'Send at most 10,000 at once.';
  end if;
  if v_steps > 1 then
    if (select count(distinct u.step_uuid) from unnest(p_step_uuids) as u (step_uuid)) < v_steps then
      raise exception using
        errcode = 'TK422',
        message = 'a step stands twice in one call',
        hint    = 'Send one result for each claimed step.';
    end if;
  end if;
end;
$$;

comment on function tasker.check_step_claims(uuid[], integer[]) is
$$Raises TK422 unless these are different steps with a claim number each, TK413 if there are more than 10,000.$$;

revoke all on function tasker.check_step_claims(uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/internal/check_step_results.sql
create or replace function tasker.check_step_results(
  p_steps               integer,
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[]
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- An "if" within an "if": a condition that holds a query is executed as one, whatever stands before it.
  v_problem := case
    when cardinality(p_results) <> p_steps then format('%s results', cardinality(p_results))
    when cardinality(p_errors) <> p_steps then format('%s errors', cardinality(p_errors))
    when cardinality(p_permanent) <> p_steps then format('%s marks of permanence', cardinality(p_permanent))
    when cardinality(p_backoff_seconds) <> p_steps then format('%s backoffs', cardinality(p_backoff_seconds))
    when cardinality(p_execution_times_ms) <> p_steps then format('%s execution times', cardinality(p_execution_times_ms))
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = format('%s do not match %s steps', v_problem, p_steps),
      hint    = 'Each array is null or has one element for each step.';
  end if;

  if p_backoff_seconds is not null then
    if exists (select from unnest(p_backoff_seconds) as u (seconds) where u.seconds not between 0 and 31536000) then
      raise exception using
        errcode = 'TK422',
        message = 'a backoff is below 0 seconds or above a year';
    end if;
  end if;
  if p_execution_times_ms is not null then
    if exists (select from unnest(p_execution_times_ms) as u (ms) where u.ms < 0) then
      raise exception using
        errcode = 'TK422',
        message = 'an execution time is below 0';
    end if;
  end if;
end;
$$;

comment on function tasker.check_step_results(integer, jsonb[], text[], boolean[], integer[], bigint[]) is
$$Raises TK422 unless each array is null or has an element for each step, and the numbers are in their range.$$;

revoke all on function tasker.check_step_results(integer, jsonb[], text[], boolean[], integer[], bigint[]) from public;
-- <<<

-- >>> db/schema/functions/internal/claimable_namespaces.sql
create or replace function tasker.claimable_namespaces(p_namespaces text[])
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  if v_bound is not null then
    perform tasker.check_bound_namespaces(p_namespaces);
  end if;
  if p_namespaces is not null then
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  return array(
    select n.name
      from tasker.task_namespaces as n
     where n.paused_at is null
       and (p_namespaces is null or n.name = any (p_namespaces))
       and (v_bound is null or n.name = any (v_bound))
  );
end;
$$;

comment on function tasker.claimable_namespaces(text[]) is
$$Those of these namespaces, or of all if that is null, that are not paused and that the caller's role may work in. Raises TK404 if one does not exist, TK403 if the role is bound to others.$$;

revoke all on function tasker.claimable_namespaces(text[]) from public;
-- <<<

-- >>> db/schema/functions/internal/server_started_at.sql
create or replace function tasker.server_started_at()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select pg_postmaster_start_time();
end;

comment on function tasker.server_started_at() is
$$Since when workers could renew their leases. Tests replace it.$$;

revoke all on function tasker.server_started_at() from public;
-- <<<

-- >>> db/schema/functions/internal/lock_schedules.sql
create or replace function tasker.lock_schedules(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return array(
    select u.task_uuid
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select count(*) as rows from tasker.timers as m where m.task_uuid = u.task_uuid
     ) as timers
     cross join lateral (
       select count(*) as rows
         from (select from tasker.timers as m where m.task_uuid = u.task_uuid for update skip locked) as m
     ) as locked_timers
     cross join lateral (
       select count(*) as rows from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid
     ) as waiting
     cross join lateral (
       select count(*) as rows
         from (select from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid for update skip locked) as w
     ) as locked_waiting
     where locked_timers.rows = timers.rows
       and locked_waiting.rows = waiting.rows
  );
end;
$$;

comment on function tasker.lock_schedules(uuid[]) is
$$Locks the timers of tasks and their rows in waiting_tasks, and returns the tasks of which it has all. Waits for nobody: whoever looks for what is due holds such rows of busy tasks too, until it commits. The caller holds the tasks' locks.$$;

revoke all on function tasker.lock_schedules(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/lock_tasks.sql
create or replace function tasker.lock_tasks(p_task_uuids uuid[], p_wait boolean)
  returns uuid[]
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
  v_tasks  uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
  v_locked uuid[];
begin
  -- No key update, here and wherever a task or a step is locked: an update of a row that the same
  -- transaction has updated before checks its foreign key again, and that would wait for a plain "for
  -- update", against the order of locks.
  if p_wait then
    select coalesce(array_agg(t.task_uuid), '{}')
      into v_locked
      from unnest(v_tasks) as u (task_uuid)
     cross join lateral (
       select t.task_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
          for no key update
     ) as t;
  else
    select coalesce(array_agg(t.task_uuid), '{}')
      into v_locked
      from unnest(v_tasks) as u (task_uuid)
     cross join lateral (
       select t.task_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
          for no key update skip locked
     ) as t;
    v_locked := tasker.lock_schedules(v_locked);
  end if;
  return v_locked;
end;
$$;

comment on function tasker.lock_tasks(uuid[], boolean) is
$$Locks tasks in the order of their UUIDs and returns those it has: all that exist, or, if p_wait is false, those that nobody else held.

A call that holds a step, a queue row or a timer must not wait, be it for a task or later for what is scheduled for it: a task whose timers or row in waiting_tasks somebody else has counts as held. What the caller reads of the tasks it reads in a new statement: one's snapshot is older than its locks.$$;

revoke all on function tasker.lock_tasks(uuid[], boolean) from public;
-- <<<

-- >>> db/schema/functions/internal/lock_steps.sql
create or replace function tasker.lock_steps(p_task_uuids uuid[], p_step_nos integer[])
  returns boolean[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return (
    select array_agg(s.locked is not null order by u.position)
      from unnest(p_task_uuids, p_step_nos) with ordinality as u (task_uuid, step_no, position)
      left join lateral (
        select true as locked
          from tasker.workflow_steps as s
         where s.task_uuid = u.task_uuid
           and s.step_no = u.step_no
           for no key update skip locked
      ) as s
        on true
  );
end;
$$;

comment on function tasker.lock_steps(uuid[], integer[]) is
$$Locks those of these steps that nobody holds: for each of them whether it did. Who holds one step without its task must not wait for another.$$;

revoke all on function tasker.lock_steps(uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/internal/step_is_open.sql
create or replace function tasker.step_is_open(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state not in ('complete', 'error', 'cancelled', 'resolved_manually'))::integer;
end;

comment on function tasker.step_is_open(tasker.step_state) is
$$1 if a step in this state is neither done nor failed, else 0: what tasker.step_states says, inlined where a look at it for each step would cost too much. A test holds the two equal.$$;

revoke all on function tasker.step_is_open(tasker.step_state) from public;
-- <<<

-- >>> db/schema/functions/internal/step_is_active.sql
create or replace function tasker.step_is_active(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state in ('enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'))::integer;
end;

comment on function tasker.step_is_active(tasker.step_state) is
$$1 if a step in this state is in the processing pipeline, else 0: what tasker.step_states says, inlined where a look at it for each step would cost too much. A test holds the two equal.$$;

revoke all on function tasker.step_is_active(tasker.step_state) from public;
-- <<<

-- >>> db/schema/functions/internal/task_outcome.sql
create or replace function tasker.task_outcome(
  p_open_steps      integer,
  p_active_steps    integer,
  p_retrying_steps  integer,
  p_failed_steps    integer,
  p_enqueued        boolean
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_active_steps > 0 and p_enqueued then 'enqueued'
    when p_active_steps > 0 then 'running'
    when p_retrying_steps > 0 then 'retrying'
    when p_failed_steps > 0 then 'blocked'
    when p_open_steps > 0 then 'waiting'
    else 'complete'
  end;
end;

comment on function tasker.task_outcome(integer, integer, integer, integer, boolean) is
$$What a task's counters say of it: the one place where an evaluation is decided. p_enqueued tells whether steps of it have just gone into the queue. tasker.task_paths says what follows.$$;

revoke all on function tasker.task_outcome(integer, integer, integer, integer, boolean) from public;
-- <<<

-- >>> db/schema/functions/internal/clear_ended_tasks.sql
create or replace function tasker.clear_ended_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  delete from tasker.timers as m where m.task_uuid = any (p_task_uuids);
  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
end;
$$;

comment on function tasker.clear_ended_tasks(uuid[]) is
$$Takes tasks that have ended off the timers and off what an orchestrator looks at. The caller holds their locks.$$;

revoke all on function tasker.clear_ended_tasks(uuid[]) from public;
-- <<<

-- >>> db/schema/tables/task_facts.sql
create table tasker.task_facts (
  task_uuid         uuid               not null,
  namespace         text               not null,
  halts             boolean            not null,
  state             tasker.task_state  not null,
  transition_count  integer            not null,
  open_steps        integer            not null,
  active_steps      integer            not null,
  retrying_steps    integer            not null,
  failed_steps      integer            not null,

  constraint task_facts_row_type_check
    check (false) no inherit
);

comment on table tasker.task_facts is
  'Row type: what its steps'' moves are judged by: where a task''s steps are queued, whether its template halts on a failure, its state and its counters.';

revoke all on table tasker.task_facts from public;
-- <<<

-- >>> db/schema/functions/internal/task_facts.sql
create or replace function tasker.task_facts(p_task_uuids uuid[])
  returns tasker.task_facts[]
  language plpgsql
  stable
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
  v_tasks uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
begin
  return array(
    select (
        t.task_uuid, n.name, k.on_failure = 'halt',
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.failed_steps
      )::tasker.task_facts
      from unnest(v_tasks) as u (task_uuid)
     cross join lateral (
       select
         t.task_uuid, t.named_task_uuid,
         t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.failed_steps
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
       offset 0
     ) as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     order by t.task_uuid
  );
end;
$$;

comment on function tasker.task_facts(uuid[]) is
$$The facts of tasks in the order of their UUIDs, each once, read once for settle_steps and evaluate_tasks. They stay true as long as the caller holds the tasks' locks and has moved none of them.$$;

revoke all on function tasker.task_facts(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/settle_steps.sql
create or replace function tasker.settle_steps(
  p_moves  tasker.workflow_step_transition_log[],
  p_tasks  tasker.task_facts[]
)
  returns tasker.workflow_step_transition_log[]
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
  v_now       timestamptz := tasker.clock();
  v_moves     tasker.workflow_step_transition_log[] := p_moves;
  v_last      tasker.workflow_step_transition_log[] := p_moves;
  -- Partitions outside the span of the tasks, which come in the order of their UUIDs, are not opened.
  v_span      uuid[] := array[(p_tasks[1]).task_uuid, (p_tasks[cardinality(p_tasks)]).task_uuid];
  v_namespace text; -- of all the tasks, if it is one
  v_halted    uuid[];
  v_enqueued  uuid[] := '{}';
  v_step_nos  integer[] := '{}';
  v_found     record;
begin
  -- A template that halts enqueues nothing more after a failure, be it one of these moves.
  select
    case when min(f.namespace) = max(f.namespace) then min(f.namespace) end,
    array_agg(f.task_uuid) filter (
      where f.halts
        and (
          f.failed_steps > 0
          or f.task_uuid in (select m.task_uuid from unnest(p_moves) as m where m.to_state = 'error')
        )
    )
    into v_namespace, v_halted
    from unnest(p_tasks) as f;

  -- Each turn goes one level down: a step that is skipped settles its own edges in the next one.
  loop
    with settled as (
      select
        m.task_uuid,
        e.to_step_no,
        count(*)::integer as settled,
        count(*) filter (
          where m.to_state <> 'cancelled'
            and (
              e.condition is null
              or tasker.condition_holds(e.condition, (
                select p.results
                  from tasker.workflow_steps as p
                 where p.task_uuid = m.task_uuid
                   and p.task_uuid between v_span[1] and v_span[2]
                   and p.step_no = m.step_no
              ))
            )
        )::integer as satisfied
      from unnest(v_last) as m
      cross join lateral (
        select t.named_task_uuid, t.has_added_edges
          from tasker.tasks as t
         where t.task_uuid = m.task_uuid
           and t.task_uuid between v_span[1] and v_span[2]
        offset 0
      ) as t
      cross join lateral tasker.step_children(m.task_uuid, t.named_task_uuid, t.has_added_edges, m.step_no) as e
      where m.to_state in ('complete', 'cancelled', 'resolved_manually')
      group by m.task_uuid, e.to_step_no
    ),
    decided as (
      select
        d.*,
        case
          when c.state <> 'pending' or c.pending_parents > d.settled
            then null
          when not tasker.join_holds(c.join_mode, c.total_parents, 0, c.satisfied_parents + d.satisfied)
            then 'cancelled'
          when v_halted is null or d.task_uuid <> all (v_halted)
            then 'enqueued'
        end::tasker.step_state as to_state
      from settled as d
      cross join lateral (
        select c.state, c.join_mode, c.total_parents, c.pending_parents, c.satisfied_parents
          from tasker.workflow_steps as c
         where c.task_uuid = d.task_uuid
           and c.task_uuid between v_span[1] and v_span[2]
           and c.step_no = d.to_step_no
        offset 0
      ) as c
    ),
    counted as (
      update tasker.workflow_steps as s
         set pending_parents   = s.pending_parents - d.settled,
             satisfied_parents = s.satisfied_parents + d.satisfied,
             state             = coalesce(d.to_state, s.state),
             transition_count  = s.transition_count + (d.to_state is not null)::integer
        from decided as d
       where s.task_uuid = any (array[d.task_uuid])
         and s.step_no = d.to_step_no
      returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, d.to_state
    ),
    queued as (
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
      select
        c.task_uuid, c.step_no, coalesce(v_namespace, tasker.namespace_of_task(c.task_uuid)),
        tasker.step_lane('enqueued', c.priority), c.named_step_uuid, c.claim_no, v_now
      from counted as c
      where c.to_state = 'enqueued'
      -- Steps of one task lie together, so that they are claimed together.
      order by c.task_uuid, c.step_no
    )
    select
      array_agg((
        c.task_uuid, c.step_no, c.transition_count,
        case c.to_state when 'enqueued' then 'Enqueue' else 'Skip' end,
        'pending', c.to_state, c.claim_no, null, null, null, null, null, v_now
      )::tasker.workflow_step_transition_log) as moves,
      array_agg(c.task_uuid) filter (where c.to_state = 'enqueued') as enqueued,
      array_agg(c.step_no) filter (where c.to_state = 'enqueued') as step_nos,
      bool_or(c.to_state = 'cancelled') as skipped
      into v_found
      from counted as c
     where c.to_state is not null;

    v_moves := v_moves || v_found.moves;
    v_enqueued := v_enqueued || v_found.enqueued;
    v_step_nos := v_step_nos || v_found.step_nos;
    exit when v_found.skipped is not true;
    v_last := v_found.moves;
  end loop;

  if v_namespace is null then
    perform tasker.announce_queue_rows(v_enqueued, v_step_nos);
  elsif cardinality(v_enqueued) > 0 then
    perform tasker.announce_steps(v_namespace, v_enqueued, v_step_nos);
  end if;
  return v_moves;
end;
$$;

comment on function tasker.settle_steps(tasker.workflow_step_transition_log[], tasker.task_facts[]) is
$$Counts the steps that these moves settled down at their children, across tasks, and decides about each child that waits for nothing more: its join holds, and it goes into the queue, unless the template halts on the failure that the task has; or it is skipped, which settles its own children. Returns the moves and those it has made.

To be called once for each settled step. The caller holds the tasks' locks and knows their facts, logs the moves and evaluates the tasks.$$;

revoke all on function tasker.settle_steps(tasker.workflow_step_transition_log[], tasker.task_facts[]) from public;
-- <<<

-- >>> db/schema/functions/internal/evaluate_tasks.sql
create or replace function tasker.evaluate_tasks(
  p_moves  tasker.workflow_step_transition_log[],
  p_tasks  tasker.task_facts[]
)
  returns void
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
  v_now   timestamptz := tasker.clock();
  v_moved tasker.task_transition_log[];
begin
  insert into tasker.workflow_step_transition_log select m.* from unnest(p_moves) as m;

  -- A task's counters, and what its steps' moves add to them.
  with counted as (
    select
      c.task_uuid,
      min(c.state) as state,
      min(c.transition_count) as transition_count,
      sum(c.open_steps)::integer as open_steps,
      sum(c.active_steps)::integer as active_steps,
      sum(c.retrying_steps)::integer as retrying_steps,
      sum(c.failed_steps)::integer as failed_steps,
      bool_or(c.enqueued) as enqueued
    from (
      select
        f.task_uuid, f.state, f.transition_count,
        f.open_steps, f.active_steps, f.retrying_steps, f.failed_steps, false as enqueued
      from unnest(p_tasks) as f
      union all
      select
        m.task_uuid, null, null,
        tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state),
        tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state),
        (m.to_state = 'waiting_for_retry')::integer - (m.from_state = 'waiting_for_retry')::integer,
        (m.to_state = 'error')::integer - (m.from_state = 'error')::integer,
        m.event = 'Enqueue'
      from unnest(p_moves) as m
    ) as c
    group by c.task_uuid
  ),
  judged as (
    select
      c.*,
      tasker.task_outcome(c.open_steps, c.active_steps, c.retrying_steps, c.failed_steps, c.enqueued) as outcome
    from counted as c
  ),
  logged as (
    insert into tasker.task_transition_log (
      task_uuid, sort_key, event, from_state, to_state, metadata, created_at
    )
    select
      j.task_uuid, j.transition_count + p.position, p.event, p.from_state, p.to_state,
      -- Found in a state that the engine passes through without a stop: whoever moved it there is gone.
      case when p.position = 1 and j.state in ('initializing', 'enqueuing_steps', 'evaluating_results')
        then '{"event": "ProcessorCrashed"}'::jsonb
      end,
      v_now
    from judged as j
    join tasker.task_paths as p
      on p.outcome = j.outcome
     and p.start_state = j.state
  ),
  moved as (
    update tasker.tasks as t
       set open_steps       = j.open_steps,
           active_steps     = j.active_steps,
           retrying_steps   = j.retrying_steps,
           failed_steps     = j.failed_steps,
           state            = coalesce(p.to_state, t.state),
           transition_count = t.transition_count + coalesce(p.position, 0),
           processor_uuid   = case when p.to_state is null then t.processor_uuid end,
           started_at       = coalesce(t.started_at, v_now),
           completed_at     = case when p.to_state = 'complete' then v_now end,
           finalization_claimed_at = case when p.to_state is null then t.finalization_claimed_at end,
           finalization_claimed_until = case when p.to_state is null then t.finalization_claimed_until end,
           finalization_claimed_by = case when p.to_state is null then t.finalization_claimed_by end,
           updated_at       = v_now
      from judged as j
      left join tasker.task_paths as p
        on p.outcome = j.outcome
       and p.start_state = j.state
       and p.last
     where t.task_uuid = any (array[j.task_uuid])
    returning t.task_uuid, t.transition_count, p.event, j.state as from_state, t.state
  )
  select array_agg((
      m.task_uuid, m.transition_count, m.event, m.from_state, m.state, null, null, null, null, v_now
    )::tasker.task_transition_log)
    into v_moved
    from moved as m
   where m.state <> m.from_state;

  if v_moved is not null then
    perform tasker.notify_task_events(v_moved);
    perform tasker.clear_ended_tasks(array(select m.task_uuid from unnest(v_moved) as m where m.to_state = 'complete'));
  end if;
end;
$$;

comment on function tasker.evaluate_tasks(tasker.workflow_step_transition_log[], tasker.task_facts[]) is
$$Logs these moves of steps, brings the counters of their tasks up to date, and moves each task, whether it has moves or not, along the path that they decide (tasker.task_paths): its row, its log, its timers, and word to listeners.

Five statements whatever the number of moves and tasks. The caller holds the tasks' locks, has written the steps' rows and knows the facts of each task that has a move.$$;

revoke all on function tasker.evaluate_tasks(tasker.workflow_step_transition_log[], tasker.task_facts[]) from public;
-- <<<

-- >>> db/schema/functions/internal/enqueue_ready_steps.sql
create or replace function tasker.enqueue_ready_steps(p_tasks tasker.task_facts[])
  returns tasker.workflow_step_transition_log[]
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
  v_now   timestamptz := tasker.clock();
  v_moves tasker.workflow_step_transition_log[];
begin
  with decided as (
    select
      s.task_uuid,
      s.step_no,
      f.namespace,
      case when tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
        then 'enqueued' else 'cancelled'
      end::tasker.step_state as to_state
    from unnest(p_tasks) as f
    cross join lateral (
      select s.task_uuid, s.step_no, s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents
        from tasker.workflow_steps as s
       where s.task_uuid = f.task_uuid
         and s.state = 'pending'
         and s.pending_parents = 0
      offset 0
    ) as s
    where not (f.halts and f.failed_steps > 0 and tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents))
  ),
  moved as (
    update tasker.workflow_steps as s
       set state            = d.to_state,
           transition_count = s.transition_count + 1
      from decided as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
    returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.state, d.namespace
  ),
  queued as (
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select m.task_uuid, m.step_no, m.namespace, tasker.step_lane(m.state, m.priority), m.named_step_uuid, m.claim_no, v_now
      from moved as m
     where m.state = 'enqueued'
  )
  select array_agg((
      m.task_uuid, m.step_no, m.transition_count,
      case m.state when 'enqueued' then 'Enqueue' else 'Skip' end,
      'pending', m.state, m.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from moved as m;

  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
    where m.to_state = 'enqueued';
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.enqueue_ready_steps(tasker.task_facts[]) is
$$Looks through the steps of open tasks for those that wait for nothing, and enqueues or skips each: what settle_steps does for children, here for steps that became ready in another way (a start, a direct call, an operator). Returns the moves. Linear in the tasks' steps.

The caller holds the tasks' locks and knows their facts, settles the moves, logs them and evaluates the tasks.$$;

revoke all on function tasker.enqueue_ready_steps(tasker.task_facts[]) from public;
-- <<<

-- >>> db/schema/functions/internal/advance_tasks.sql
create or replace function tasker.advance_tasks(p_task_uuids uuid[])
  returns void
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
  v_open  uuid[];
  v_tasks tasker.task_facts[];
begin
  -- A task whose start lies ahead is not started by what else happens to it.
  select array_agg(t.task_uuid)
    into v_open
    from unnest(p_task_uuids) as u (task_uuid)
   cross join lateral (
     select t.task_uuid
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid
        and not t.complete
        and not exists (
          select
            from tasker.timers as m
           where m.task_uuid = t.task_uuid
             and m.kind = 'start_task'
             and m.due_at > tasker.clock()
        )
     offset 0
   ) as t;

  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
  delete from tasker.timers as m
   where m.task_uuid = any (v_open)
     and m.kind = 'start_task';

  v_tasks := tasker.task_facts(v_open);
  perform tasker.evaluate_tasks(tasker.settle_steps(tasker.enqueue_ready_steps(v_tasks), v_tasks), v_tasks);
end;
$$;

comment on function tasker.advance_tasks(uuid[]) is
$$Starts these tasks or moves them on from wherever they are: ready steps are enqueued or skipped, and each task is evaluated. Ended tasks, and those whose start lies ahead, stay as they are.

The caller holds the tasks' locks.$$;

revoke all on function tasker.advance_tasks(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/advance_waiting_tasks.sql
create or replace function tasker.advance_waiting_tasks(p_deferred boolean, p_limit integer)
  returns integer
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
  v_locked uuid[];
begin
  -- Every claim comes by here: looking is a third of calling.
  if exists (select from tasker.waiting_tasks as w where w.discovered_until <= tasker.clock()) then
    perform tasker.release_discoveries();
  end if;
  v_locked := tasker.lock_schedules(tasker.find_waiting_tasks(p_deferred, p_limit));
  if cardinality(v_locked) > 0 then
    perform tasker.advance_tasks(v_locked);
  end if;
  return cardinality(v_locked);
end;
$$;

comment on function tasker.advance_waiting_tasks(boolean, integer) is
$$Starts tasks whose start was deferred, or moves on tasks that were touched by a direct call, by computed priority. Returns how many. Those that somebody else holds, or has discovered, are left.$$;

revoke all on function tasker.advance_waiting_tasks(boolean, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/process_moves.sql
create or replace function tasker.process_moves(p_moves tasker.workflow_step_transition_log[])
  returns void
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
  v_tasks tasker.task_facts[] := tasker.task_facts(array(select m.task_uuid from unnest(p_moves) as m));
begin
  -- Not by "=" alone: a queue that was analyzed while it was empty would be read from end to end.
  delete from tasker.step_queue as q
   using unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and m.event in ('Complete', 'WaitForRetry', 'Fail');

  perform tasker.evaluate_tasks(tasker.settle_steps(p_moves, v_tasks), v_tasks);
end;
$$;

comment on function tasker.process_moves(tasker.workflow_step_transition_log[]) is
$$What follows from results: their steps leave the queue, children are settled, tasks evaluated. The caller holds the tasks' locks and has written the steps' rows.$$;

revoke all on function tasker.process_moves(tasker.workflow_step_transition_log[]) from public;
-- <<<

-- >>> db/schema/functions/internal/queue_exists.sql
create or replace function tasker.queue_exists(p_queue_name text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The schema may belong to somebody who does not share it.
  if not coalesce(has_schema_privilege(to_regnamespace('pgmq'), 'usage'), false) then
    return false;
  end if;
  return exists (select from pgmq.meta as m where m.queue_name = p_queue_name);
end;
$$;

comment on function tasker.queue_exists(text) is
$$Whether there is such a pgmq queue that tasker_owner can use.$$;

revoke all on function tasker.queue_exists(text) from public;
-- <<<

-- >>> db/schema/functions/internal/defer_results.sql
create or replace function tasker.defer_results(p_moves tasker.workflow_step_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  insert into tasker.workflow_step_transition_log select m.* from unnest(p_moves) as m;

  -- Not by "=" alone: a queue that was analyzed while it was empty would be read from end to end.
  update tasker.step_queue as q
     set lane       = 'results',
         visible_at = tasker.clock()
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;

  -- The truth that a result waits is the queue row; the message is its herald.
  perform tasker.pgmq_send_batch_with_notify('orchestration_step_results', array_agg(
    jsonb_build_object(
      'task_uuid', m.task_uuid,
      'step_uuid', tasker.step_uuid(m.task_uuid, m.step_no),
      'correlation_id', t.correlation_id
    )
  ))
     from unnest(p_moves) as m
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = m.task_uuid
      offset 0
    ) as t;
end;
$$;

comment on function tasker.defer_results(tasker.workflow_step_transition_log[]) is
$$Leaves recorded results to an orchestrator: their log, the queue's lane "results", and a message each to orchestration_step_results. The caller holds the steps' locks and has written their rows.$$;

revoke all on function tasker.defer_results(tasker.workflow_step_transition_log[]) from public;
-- <<<

-- >>> db/schema/functions/internal/discard_result_messages.sql
create or replace function tasker.discard_result_messages(p_limit integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.queue_exists('orchestration_step_results') then
    perform pgmq.delete('orchestration_step_results', array(
      select m.msg_id from pgmq.read('orchestration_step_results', 30, p_limit) as m
    ));
  end if;
end;
$$;

comment on function tasker.discard_result_messages(integer) is
$$Takes messages away that announced results: what they announced is in the queue, or has been processed.$$;

revoke all on function tasker.discard_result_messages(integer) from public;
-- <<<

-- >>> db/schema/functions/internal/next_attempt_at.sql
create or replace function tasker.next_attempt_at(
  p_attempts         integer,
  p_backoff_seconds  integer,
  p_base_seconds     numeric,
  p_multiplier       numeric,
  p_max_seconds      integer
)
  returns timestamptz
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.clock() + make_interval(secs => coalesce(
    p_backoff_seconds,
    tasker.calculate_backoff_delay(p_attempts, p_base_seconds, p_multiplier, p_max_seconds)
      * (1 - tasker.setting_numeric('backoff_jitter') * random()::numeric)
  )::double precision);
end;
$$;

comment on function tasker.next_attempt_at(integer, integer, numeric, numeric, integer) is
$$When a step that has just failed is tried again: after the seconds that its worker asked for, else by the policy of its template or the settings, less the jitter.$$;

revoke all on function tasker.next_attempt_at(integer, integer, numeric, numeric, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/finish_steps.sql
create or replace function tasker.finish_steps(
  p_task_uuids          uuid[],
  p_step_nos            integer[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[],
  p_deferred            boolean[]
)
  returns tasker.step_answers[]
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
  v_now      timestamptz := tasker.clock();
  v_answers  tasker.step_answers[];
  v_moves    tasker.workflow_step_transition_log[];
  v_recorded tasker.workflow_step_transition_log[];
begin
  -- Compare and swap: a step that is not in progress under this claim is not touched. In the order of the
  -- keys, since two workers may record results of the same steps.
  with finished as (
    update tasker.workflow_steps as s
       set state            = case
             when u.deferred and u.error is null then 'enqueued_for_orchestration'
             when u.deferred then 'enqueued_as_error_for_orchestration'
             when u.error is null then 'complete'
             when u.permanent or not s.retryable or s.attempts >= s.max_attempts then 'error'
             else 'waiting_for_retry'
           end::tasker.step_state,
           next_retry_at    = case
             when u.error is not null
                  and not (u.deferred or u.permanent or not s.retryable or s.attempts >= s.max_attempts)
             then tasker.next_attempt_at(
               s.attempts, u.backoff_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
             )
           end,
           transition_count = s.transition_count + case when u.deferred then 1 else 2 end,
           lease_until      = null,
           processed_at     = case when u.error is null and not u.deferred then v_now end,
           results          = case when u.error is null then u.result else s.results end,
           last_error       = coalesce(u.error, s.last_error),
           last_failure_at  = case when u.error is not null then v_now else s.last_failure_at end,
           backoff_request_seconds = case when u.error is not null then u.backoff_seconds end
      from (
        select
          u.position, u.task_uuid, u.step_no, u.claim_no, u.result, u.error,
          coalesce(u.permanent, false) as permanent, u.backoff_seconds, u.execution_time_ms, u.deferred
          from unnest(
            p_task_uuids, p_step_nos, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds,
            p_execution_times_ms, p_deferred
          ) with ordinality as u (
            task_uuid, step_no, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, deferred, position
          )
         order by u.task_uuid, u.step_no
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
    returning
      s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.worker_uuid, s.state, s.next_retry_at,
      u.position, u.error, u.permanent, u.backoff_seconds, u.execution_time_ms, u.deferred
  ),
  timed as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    select f.task_uuid, f.step_no, 'retry_step', f.next_retry_at
      from finished as f
     where f.state = 'waiting_for_retry'
  )
  select
    array_agg(l.answer order by l.position) filter (where l.first),
    array_agg(l.move) filter (where not l.deferred),
    array_agg(l.move) filter (where l.deferred)
    into v_answers, v_moves, v_recorded
    from (
      select
        f.position,
        m.position = 1 as first,
        f.deferred,
        case when m.position = 1 then (
          tasker.step_uuid(f.task_uuid, f.step_no), f.claim_no,
          case f.state when 'complete' then 'completed' when 'error' then 'failed' when 'waiting_for_retry' then 'retrying'
            else 'recorded'
          end,
          f.next_retry_at
        )::tasker.step_answers end as answer,
        (
          f.task_uuid, f.step_no, f.transition_count - (m.position = 1 and not f.deferred)::integer,
          m.event, m.from_state, m.to_state, f.claim_no, m.execution_time_ms, m.worker_uuid, null, null, m.metadata, v_now
        )::tasker.workflow_step_transition_log as move
      from (
        select
          f.*,
          case when f.error is null
            then 'enqueued_for_orchestration'::tasker.step_state
            else 'enqueued_as_error_for_orchestration'::tasker.step_state
          end as recorded_state
        from finished as f
      ) as f
      cross join lateral (
        values (
          1, 'EnqueueForOrchestration', 'in_progress'::tasker.step_state, f.recorded_state, f.execution_time_ms,
          f.worker_uuid,
          case when f.error is not null then jsonb_strip_nulls(jsonb_build_object(
            'error', f.error, 'backoff_seconds', f.backoff_seconds, 'permanent', nullif(f.permanent, false)
          )) end
        ), (
          2,
          case f.state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
          f.recorded_state, f.state, null, null, null
        )
      ) as m (position, event, from_state, to_state, execution_time_ms, worker_uuid, metadata)
      where m.position = 1
         or not f.deferred
    ) as l;

  if v_recorded is not null then
    perform tasker.defer_results(v_recorded);
  end if;
  if v_moves is not null then
    perform tasker.process_moves(v_moves);
  end if;
  return coalesce(v_answers, '{}');
end;
$$;

comment on function tasker.finish_steps(uuid[], integer[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean[]) is
$$Carries out results, each if its step is in progress under its claim: the step's row, its timer, and all that follows; or, where they are deferred, records them for an orchestrator. A result with an error is a failure: the step waits for a retry, or has failed for good. An answer for each that was carried out, in order.

The caller holds the tasks' locks, except of those whose results are deferred. Locks the steps in the order of their keys.$$;

revoke all on function tasker.finish_steps(uuid[], integer[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean[]) from public;
-- <<<

-- >>> db/schema/functions/internal/results_are_deferred.sql
create or replace function tasker.results_are_deferred(p_task_uuids uuid[])
  returns boolean[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- Most databases have no such namespace: no need to look at the tasks.
  if not exists (select from tasker.task_namespaces as n where n.result_mode = 'deferred') then
    return array_fill(false, array[cardinality(p_task_uuids)]);
  end if;

  return (
    select array_agg(coalesce(d.deferred, false) order by u.position)
      from unnest(p_task_uuids) with ordinality as u (task_uuid, position)
      left join lateral (
        select n.result_mode = 'deferred' as deferred
          from tasker.tasks as t
          join tasker.named_tasks as k
            on k.named_task_uuid = t.named_task_uuid
          join tasker.task_namespaces as n
            on n.task_namespace_uuid = k.task_namespace_uuid
         where t.task_uuid = u.task_uuid
        offset 0
      ) as d
        on true
  );
end;
$$;

comment on function tasker.results_are_deferred(uuid[]) is
$$For each task whether an orchestrator processes its steps' results, and not the worker's own call.$$;

revoke all on function tasker.results_are_deferred(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/refused_results.sql
create or replace function tasker.refused_results(
  p_task_uuids  uuid[],
  p_deferred    boolean[],
  p_locked      uuid[],
  p_results     jsonb[],
  p_errors      text[],
  p_held        boolean[]
)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('result_bytes');
begin
  if p_held is null and not exists (
    select
      from unnest(p_results, p_errors) as u (result, error)
     where u.error is null
       and octet_length(u.result::text) > v_limit
  ) then
    return null;
  end if;

  return array(
    select case
        when not (u.held and (u.deferred or u.task_uuid = any (p_locked))) then 'busy'
        when u.error is null and octet_length(u.result::text) > v_limit then 'too_large'
      end
      from unnest(p_task_uuids, p_deferred, p_results, p_errors, p_held) with ordinality
        as u (task_uuid, deferred, result, error, held, position)
     order by u.position
  );
end;
$$;

comment on function tasker.refused_results(uuid[], boolean[], uuid[], jsonb[], text[], boolean[]) is
$$For each result why it is not even tried: busy, if its task or its step could not be locked, too_large; null if there is no such reason. p_held is null if every step is waited for. Null instead of an array of nulls.$$;

revoke all on function tasker.refused_results(uuid[], boolean[], uuid[], jsonb[], text[], boolean[]) from public;
-- <<<

-- >>> db/schema/functions/internal/answer_results.sql
create or replace function tasker.answer_results(
  p_step_uuids  uuid[],
  p_claim_nos   integer[],
  p_errors      text[],
  p_refusals    text[],
  p_finished    tasker.step_answers[]
)
  returns tasker.step_answers[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return array(
    select (
        u.step_uuid,
        u.claim_no,
        case
          when s.state is null then 'not_found'
          when f.answer is not null then f.answer
          when s.state = 'cancelled' then 'cancelled'
          when u.refusal = 'busy' then 'busy'
          when s.claim_no <> u.claim_no then 'stale'
          when s.state = 'in_progress' then coalesce(u.refusal, 'busy')
          when s.state in ('complete', 'resolved_manually', 'enqueued_for_orchestration') then 'already_complete'
          when u.error is null then 'stale'
          when s.state = 'waiting_for_retry' then 'retrying'
          when s.state = 'error' then 'failed'
          when s.state = 'enqueued_as_error_for_orchestration' then 'recorded'
          else 'stale'
        end,
        coalesce(f.next_retry_at, case when u.error is not null and s.claim_no = u.claim_no then s.next_retry_at end)
      )::tasker.step_answers
      from unnest(p_step_uuids, p_claim_nos, p_errors, p_refusals) with ordinality
        as u (step_uuid, claim_no, error, refusal, position)
      left join unnest(p_finished) as f
        on f.step_uuid = u.step_uuid
      left join lateral (
        select s.state, s.claim_no, s.next_retry_at
          from tasker.workflow_steps as s
         where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
           and s.step_no = tasker.step_no_of(u.step_uuid)
        offset 0
      ) as s
        on true
      order by u.position
  );
end;
$$;

comment on function tasker.answer_results(uuid[], integer[], text[], text[], tasker.step_answers[]) is
$$The answer to each result of a batch of which some were not carried out: by what its step is now. A failure that was recorded before is answered as it was then.$$;

revoke all on function tasker.answer_results(uuid[], integer[], text[], text[], tasker.step_answers[]) from public;
-- <<<

-- >>> db/schema/functions/internal/apply_results.sql
create or replace function tasker.apply_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[],
  p_wait                boolean
)
  returns tasker.step_answers[]
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
  v_task_uuids uuid[];
  v_step_nos   integer[];
  v_deferred   boolean[];
  v_locked     uuid[];
  v_held       boolean[];
  v_refusals   text[];
  v_claim_nos  integer[];
  v_finished   tasker.step_answers[];
begin
  select
    array_agg(tasker.task_uuid_of(u.step_uuid) order by u.position),
    array_agg(tasker.step_no_of(u.step_uuid) order by u.position)
    into v_task_uuids, v_step_nos
    from unnest(p_step_uuids) with ordinality as u (step_uuid, position);

  -- A result that is only recorded needs no lock on its task.
  v_deferred := tasker.results_are_deferred(v_task_uuids);
  v_locked := tasker.lock_tasks(
    array(select u.task_uuid from unnest(v_task_uuids, v_deferred) as u (task_uuid, deferred) where not u.deferred),
    p_wait
  );
  if not p_wait then
    -- Of a task that somebody else holds no step is held, either: its holder waits for its steps.
    v_held := tasker.lock_steps(
      array(
        select case when u.deferred or u.task_uuid = any (v_locked) then u.task_uuid end
          from unnest(v_task_uuids, v_deferred) with ordinality as u (task_uuid, deferred, position)
         order by u.position
      ),
      v_step_nos
    );
  end if;
  v_refusals := tasker.refused_results(v_task_uuids, v_deferred, v_locked, p_results, p_errors, v_held);
  v_claim_nos := p_claim_nos;
  if v_refusals is not null then
    -- A running step's claim number is above 0.
    v_claim_nos := array(
      select case when u.refusal is null then u.claim_no else 0 end
        from unnest(p_claim_nos, v_refusals) with ordinality as u (claim_no, refusal, position)
       order by u.position
    );
  end if;
  v_finished := tasker.finish_steps(
    v_task_uuids, v_step_nos, v_claim_nos,
    p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, v_deferred
  );
  if cardinality(v_finished) < cardinality(p_step_uuids) then
    return tasker.answer_results(p_step_uuids, p_claim_nos, p_errors, v_refusals, v_finished);
  end if;
  return v_finished;
end;
$$;

comment on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) is
$$Carries out those results that count, and answers each, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false a task or a step that somebody else holds is not waited for: busy.$$;

revoke all on function tasker.apply_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], boolean) from public;
-- <<<

-- >>> db/schema/functions/internal/record_results.sql
create or replace function tasker.record_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     integer[],
  p_execution_times_ms  bigint[]
)
  returns tasker.step_answers[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '2s'
as $$
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_step_results(
    coalesce(cardinality(p_step_uuids), 0), p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  perform tasker.check_bound_steps(p_step_uuids);
  if coalesce(cardinality(p_step_uuids), 0) = 0 then
    return '{}';
  end if;

  return tasker.apply_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, true
  );
exception
  -- Somebody holds one of the tasks and thinks: the others must not wait for that.
  when lock_not_available then
    return tasker.apply_results(
      p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms, false
    );
end;
$$;

comment on function tasker.record_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[]) is
$$Checks the arguments of a batch of results and applies it. Waits at most two seconds for a lock; then it answers busy for what it cannot lock and applies the rest.

A result is a failure if it has an error.$$;

revoke all on function tasker.record_results(uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[]) from public;
-- <<<

-- >>> db/schema/functions/orchestrate/complete_steps.sql
create or replace function tasker.complete_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[]   default null,
  p_execution_times_ms  bigint[]  default null
)
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select r.*
    from unnest(tasker.record_results(p_step_uuids, p_claim_nos, p_results, null, null, null, p_execution_times_ms)) as r;
end;
$$;

comment on function tasker.complete_steps(uuid[], integer[], jsonb[], bigint[]) is
$$Records that claimed steps are done, with their results, and moves their tasks on: children that may run go into the queue, others are skipped, tasks are finished. One answer for each, in order: completed; recorded, where an orchestrator processes results; already_complete; stale, if the claim is no longer the step's; cancelled; too_large, if the result is over the setting "result_bytes" (the step stays claimed: fail it); not_found; busy, if somebody holds the task for more than two seconds: send it again.

Idempotent: the claim number is the fence. Each of the other arrays is null or has an element for each step. Locks the tasks in the order of their UUIDs, the steps, their queue rows. Raises TK422 if the arrays do not match, TK413 for more than 10,000 steps, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

revoke all on function tasker.complete_steps(uuid[], integer[], jsonb[], bigint[]) from public;
grant execute on function tasker.complete_steps(uuid[], integer[], jsonb[], bigint[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/fail_steps.sql
create or replace function tasker.fail_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_errors              text[],
  p_permanent           boolean[]  default null,
  p_backoff_seconds     integer[]  default null,
  p_execution_times_ms  bigint[]   default null
)
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(cardinality(p_errors), 0) <> coalesce(cardinality(p_step_uuids), 0)
     or array_ndims(p_errors) > 1
     or array_position(p_errors, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'a failure has no error',
      hint    = 'Say for each step what went wrong.';
  end if;

  return query
  select r.*
    from unnest(tasker.record_results(
      p_step_uuids, p_claim_nos, null, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
    )) as r;
end;
$$;

comment on function tasker.fail_steps(uuid[], integer[], text[], boolean[], integer[], bigint[]) is
$$Records that claimed steps have failed. Each is tried again later (answer retrying, next_retry_at) unless p_permanent says so, its template does not retry or its attempts are used up: then it has failed for good (failed), and what depends on it is blocked. The other answers are those of complete_steps.

p_backoff_seconds asks for a wait, else the template's policy holds or the settings. Idempotent: the claim number is the fence. Each of the other arrays is null or has an element for each step. Locks and errors as complete_steps; TK422 if an error is null, too.$$;

revoke all on function tasker.fail_steps(uuid[], integer[], text[], boolean[], integer[], bigint[]) from public;
grant execute on function tasker.fail_steps(uuid[], integer[], text[], boolean[], integer[], bigint[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/internal/fire_retries.sql
create or replace function tasker.fire_retries(p_task_uuids uuid[], p_step_nos integer[])
  returns void
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
  v_now   timestamptz := tasker.clock();
  v_moves tasker.workflow_step_transition_log[];
begin
  with retried as (
    update tasker.workflow_steps as s
       set state            = case when u.halted then 'pending' else 'enqueued' end::tasker.step_state,
           transition_count = s.transition_count + case when u.halted then 1 else 2 end,
           next_retry_at    = null,
           backoff_request_seconds = null
      from (
        -- Another attempt is a start: a task that halts on the failure it has makes none.
        select u.task_uuid, u.step_no, t.namespace, t.halted
          from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
         cross join lateral (
           select n.name as namespace, k.on_failure = 'halt' and t.failed_steps > 0 as halted
             from tasker.tasks as t
             join tasker.named_tasks as k
               on k.named_task_uuid = t.named_task_uuid
             join tasker.task_namespaces as n
               on n.task_namespace_uuid = k.task_namespace_uuid
            where t.task_uuid = u.task_uuid
           offset 0
         ) as t
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.state = 'waiting_for_retry'
    returning
      s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.state, u.namespace
  ),
  queued as (
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select r.task_uuid, r.step_no, r.namespace, tasker.step_lane(r.state, r.priority), r.named_step_uuid, r.claim_no, v_now
      from retried as r
     where r.state = 'enqueued'
  )
  select array_agg((
      r.task_uuid, r.step_no, r.transition_count - m.before_last, m.event, m.from_state, m.to_state,
      r.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from retried as r
    join (values
      ('pending'::tasker.step_state, 0, 'Retry', 'waiting_for_retry'::tasker.step_state, 'pending'::tasker.step_state),
      ('enqueued', 1, 'Retry', 'waiting_for_retry', 'pending'),
      ('enqueued', 0, 'Enqueue', 'pending', 'enqueued')
    ) as m (state, before_last, event, from_state, to_state)
      on m.state = r.state;

  -- Not by "=" alone: timers that were analyzed while there were none would be read from end to end.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'retry_step';
  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
    where m.to_state = 'enqueued';
  perform tasker.evaluate_tasks(v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)));
end;
$$;

comment on function tasker.fire_retries(uuid[], integer[]) is
$$The wait of these steps for their next attempt is over: they go back into the queue, or, where the template halts on the failure that the task has, wait as pending for what is done about that. The caller holds their tasks' locks.$$;

revoke all on function tasker.fire_retries(uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/internal/expire_tasks.sql
create or replace function tasker.expire_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- In the order of the UUIDs, because the steps of each are locked with it.
  perform tasker.move_task(t, 'Timeout', 'error', null, '{"reason": "its deadline has passed"}', null)
     from (
       select u.task_uuid
         from unnest(p_task_uuids) as u (task_uuid)
        order by u.task_uuid
     ) as u
    cross join lateral (
      select t.*
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
      offset 0
    ) as t;
end;
$$;

comment on function tasker.expire_tasks(uuid[]) is
$$The deadline of these tasks has passed: those that are open fail. The caller holds their locks.$$;

revoke all on function tasker.expire_tasks(uuid[]) from public;
-- <<<

-- >>> db/schema/functions/orchestrate/fire_due_timers.sql
create or replace function tasker.fire_due_timers(p_limit integer default 100)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_due    tasker.timers[];
  v_locked uuid[];
begin
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  v_due := array(
    select m
      from tasker.timers as m
     where m.due_at <= v_now
     order by m.due_at
     limit p_limit
       for update skip locked
  );
  if cardinality(v_due) = 0 then
    return 0;
  end if;

  -- A task that somebody else holds is asked again in a second.
  v_locked := tasker.lock_tasks(array(select d.task_uuid from unnest(v_due) as d), false);
  update tasker.timers as m
     set due_at = v_now + interval '1 second'
    from unnest(v_due) as d
   where m.task_uuid = any (array[d.task_uuid])
     and m.step_no = d.step_no
     and m.kind = d.kind
     and d.task_uuid <> all (v_locked);

  -- What ends a task goes first: its other timers are gone then.
  perform tasker.expire_tasks(array_agg(d.task_uuid))
     from unnest(v_due) as d
    where d.kind = 'task_deadline'
      and d.task_uuid = any (v_locked)
   having count(*) > 0;
  perform tasker.advance_tasks(array_agg(d.task_uuid))
     from unnest(v_due) as d
    where d.kind = 'start_task'
      and d.task_uuid = any (v_locked)
   having count(*) > 0;
  perform tasker.fire_retries(array_agg(d.task_uuid), array_agg(d.step_no))
     from unnest(v_due) as d
    where d.kind = 'retry_step'
      and d.task_uuid = any (v_locked)
   having count(*) > 0;
  return (select count(*) from unnest(v_due) as d where d.task_uuid = any (v_locked));
end;
$$;

comment on function tasker.fire_due_timers(integer) is
$$Does what is due: starts tasks, puts steps back into the queue whose wait for the next attempt is over, fails tasks whose deadline has passed. Returns how many.

Claims call it, so that workers suffice. Any number may call it at once: each fires other timers. Locks timers, then tasks, only if nobody holds them; a busy one is asked again in a second; then the steps of those that it has. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.fire_due_timers(integer) from public;
grant execute on function tasker.fire_due_timers(integer) to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/internal/queue_groups.sql
create or replace function tasker.queue_groups(p_namespaces text[])
  returns setof tasker.step_queue
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- From each group of the index to the next, one look for each: what lies behind its first row is
  -- never read, however much it is.
  return query
  with recursive groups as (
    select g.*
      from unnest(p_namespaces) as u (namespace)
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = u.namespace
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as g
    union all
    select n.*
      from groups as g
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = g.namespace
          and (q.lane, q.named_step_uuid) > (g.lane, g.named_step_uuid)
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as n
  )
  select g.* from groups as g;
end;
$$;

comment on function tasker.queue_groups(text[]) is
$$The oldest row of each namespace, lane and handler that has rows in the queue; it may be visible or not.$$;

revoke all on function tasker.queue_groups(text[]) from public;
-- <<<

-- >>> db/schema/functions/internal/handler_groups.sql
create or replace function tasker.handler_groups(p_namespaces text[], p_handlers uuid[])
  returns setof tasker.step_queue
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if p_handlers is null then
    return query select g.* from tasker.queue_groups(p_namespaces) as g;
    return;
  end if;

  -- One look for each handler that is wanted: however many others there are, they are not met.
  return query
  select g.*
    from unnest(p_namespaces) as n (namespace)
   cross join unnest('{high,normal,low,running}'::tasker.queue_lane[]) as l (lane)
   cross join unnest(p_handlers) as h (named_step_uuid)
   cross join lateral (
     select q.*
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
      order by q.visible_at
      limit 1
   ) as g;
end;
$$;

comment on function tasker.handler_groups(text[], uuid[]) is
$$What tasker.queue_groups returns of these handlers, for the lanes that workers look at; null for all handlers.$$;

revoke all on function tasker.handler_groups(text[], uuid[]) from public;
-- <<<

-- >>> db/schema/functions/internal/lane_quotas.sql
create or replace function tasker.lane_quotas(p_lanes text[], p_limit integer)
  returns integer[]
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_weights numeric[] := '{}';
  v_quotas  integer[] := '{}';
  v_lane    text;
  v_total   numeric;
  v_upto    numeric := 0;
  v_dice    numeric := random();
begin
  foreach v_lane in array p_lanes loop
    v_weights := v_weights || case
      when v_lane in ('high', 'normal', 'low') then tasker.setting_numeric('lane_weight_' || v_lane)
      else 1
    end;
  end loop;
  select sum(w.weight) into v_total from unnest(v_weights) as w (weight);

  -- Each lane's share, the fraction of it by chance: shares that round down to nothing still come in turn.
  for v_no in 1 .. cardinality(p_lanes) loop
    v_quotas := v_quotas
      || (floor((v_upto + v_weights[v_no]) * p_limit / v_total + v_dice) - floor(v_upto * p_limit / v_total + v_dice))::integer;
    v_upto := v_upto + v_weights[v_no];
  end loop;
  return v_quotas;
end;
$$;

comment on function tasker.lane_quotas(text[], integer) is
$$How many of so many rows each of these lanes gets: by the settings lane_weight_…, in sum p_limit, on average exactly.$$;

revoke all on function tasker.lane_quotas(text[], integer) from public;
-- <<<

-- >>> db/schema/functions/internal/take_queue_rows.sql
create or replace function tasker.take_queue_rows(
  p_groups  tasker.step_queue[],
  p_limit   integer,
  p_until   timestamptz,
  p_claim   boolean
)
  returns tasker.step_queue[]
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
  v_now    timestamptz := tasker.clock();
  v_dice   bigint      := (random() * 2147483647)::bigint;
  v_lanes  text[]      := array(select distinct g.lane::text from unnest(p_groups) as g);
  v_quotas integer[]   := array[p_limit];
  v_lane   integer;
  v_asked  integer;
  v_peers  record;
  v_more   tasker.step_queue[];
  v_taken  tasker.step_queue[] := '{}';
  v_left   boolean     := false; -- whether some group may have more than it was asked for
begin
  if cardinality(v_lanes) > 1 then
    v_quotas := tasker.lane_quotas(v_lanes, p_limit);
  end if;

  -- First each lane's share, then whatever is there. The namespaces come in turn by chance, within one
  -- the handler goes first whose oldest step has waited longest. Those that have waited equally long are
  -- asked for equal parts: mostly they are children of the same tasks, which are locked and counted once
  -- for all of them.
  for v_peers in
    select r.round, g.lane, array_agg(g) as groups
      from generate_series(1, 2) as r (round)
     cross join unnest(p_groups) as g
     group by r.round, g.lane, g.namespace, g.visible_at, case when r.round = 2 then g.named_step_uuid end
     order by r.round, g.lane, hashtextextended(g.namespace, v_dice), g.visible_at
  loop
    exit when v_peers.round = 2 and not v_left;
    v_lane := array_position(v_lanes, v_peers.lane::text);
    v_asked := case when v_peers.round = 1 then v_quotas[v_lane] else p_limit - cardinality(v_taken) end;

    -- Materialized: as a subquery on the inner side of a loop it would run again for each row of the
    -- outer one, skip what it had locked before, and so lock more than the limit. And not by "=" alone:
    -- a queue that was analyzed while it was empty would be read from end to end.
    with locked as materialized (
      select k.task_uuid, k.step_no
        from unnest(v_peers.groups) with ordinality as g
       cross join lateral (
         select k.task_uuid, k.step_no
           from tasker.step_queue as k
          where k.namespace = g.namespace
            and k.lane = g.lane
            and k.named_step_uuid = g.named_step_uuid
            and k.visible_at <= v_now
          order by k.visible_at
          limit (v_asked + cardinality(v_peers.groups) - g.ordinality) / cardinality(v_peers.groups)
            for update skip locked
       ) as k
    ),
    taken as (
      update tasker.step_queue as q
         set visible_at = p_until,
             lane       = case when p_claim then 'running' else q.lane end,
             claim_no   = q.claim_no + p_claim::integer
        from locked as k
       where q.task_uuid = any (array[k.task_uuid])
         and q.step_no = k.step_no
      returning q
    )
    select coalesce(array_agg(t.q), '{}') into v_more from taken as t;

    v_taken := v_taken || v_more;
    exit when cardinality(v_taken) = p_limit;
    v_quotas[v_lane] := v_quotas[v_lane] - cardinality(v_more);
    v_left := v_left or cardinality(v_more) = v_asked or cardinality(v_peers.groups) > 1 and cardinality(v_more) > 0;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) is
$$Takes visible rows of these groups (tasker.queue_groups) from the queue: locks them and hides them until p_until; if p_claim is true, as running under their next claim number. What others have locked is skipped, no lane and no namespace starves.$$;

revoke all on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) from public;
-- <<<

-- >>> db/schema/functions/internal/requeue_steps.sql
create or replace function tasker.requeue_steps(
  p_steps  tasker.workflow_steps[],
  p_event  text,
  p_lost   integer
)
  returns void
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
  v_now timestamptz := tasker.clock();
begin
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
  )
  select
    s.task_uuid, s.step_no, s.transition_count + 1, p_event, s.state, 'enqueued', s.claim_no, s.worker_uuid, v_now
  from unnest(p_steps) as s;

  update tasker.workflow_steps as s
     set state            = 'enqueued',
         transition_count = s.transition_count + 1,
         lease_until      = null,
         attempts         = greatest(s.attempts - 1, 0),
         lost_count       = s.lost_count + p_lost
    from unnest(p_steps) as u
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = u.step_no;

  -- Back to where it stood: it has waited its turn before. Not found by "=" alone: a queue that was
  -- analyzed while it was empty would be read from end to end.
  update tasker.step_queue as q
     set lane       = tasker.step_lane('enqueued', u.priority),
         claim_no   = u.claim_no,
         visible_at = least(u.last_attempted_at, v_now)
    from unnest(p_steps) as u
   where q.task_uuid = any (array[u.task_uuid])
     and q.step_no = u.step_no;

  perform tasker.announce_queue_rows(array_agg(u.task_uuid), array_agg(u.step_no))
     from unnest(p_steps) as u;
end;
$$;

comment on function tasker.requeue_steps(tasker.workflow_steps[], text, integer) is
$$Puts steps in progress back into the queue, at their old place, with the attempt given back: by Release, or by LeaseExpired with a loss counted. The caller holds the locks of the steps and, if it came from the queue, of their queue rows.$$;

revoke all on function tasker.requeue_steps(tasker.workflow_steps[], text, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/recover_lost_steps.sql
create or replace function tasker.recover_lost_steps(p_groups tasker.step_queue[], p_limit integer)
  returns integer
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
  v_now    timestamptz := tasker.clock();
  v_taken  tasker.step_queue[];
  v_steps  tasker.workflow_steps[];
  v_poison tasker.workflow_steps[];
  v_locked uuid[];
begin
  -- After a restart workers first get the chance to renew.
  if tasker.server_started_at() + make_interval(secs => tasker.setting_integer('lease_seconds')) > v_now then
    return 0;
  end if;

  v_taken := tasker.take_queue_rows(p_groups, p_limit, v_now + interval '1 second', false);
  select
    array_agg(s) filter (where s.lost_count < m.max_lost),
    array_agg(s) filter (where s.lost_count >= m.max_lost)
    into v_steps, v_poison
    from unnest(v_taken) as u
   cross join (select tasker.setting_integer('max_lost') as max_lost) as m
   cross join lateral (
     select s.*
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        for no key update skip locked
   ) as s
   where s.state = 'in_progress'
     and s.lease_until <= v_now;

  perform tasker.requeue_steps(v_steps, 'LeaseExpired', 1);
  if v_poison is null then
    return coalesce(cardinality(v_steps), 0);
  end if;

  -- Whoever holds one of the tasks now is asked again in a second.
  v_locked := tasker.lock_tasks(array(select p.task_uuid from unnest(v_poison) as p), false);
  perform tasker.finish_steps(
    array_agg(p.task_uuid), array_agg(p.step_no), array_agg(p.claim_no), null,
    array_agg(format('its worker was lost %s times', p.lost_count + 1)), array_agg(true), null, null, array_agg(false)
  )
     from unnest(v_poison) as p
    where p.task_uuid = any (v_locked)
   having count(*) > 0;
  return coalesce(cardinality(v_steps), 0) + cardinality(v_poison);
end;
$$;

comment on function tasker.recover_lost_steps(tasker.step_queue[], integer) is
$$Steps whose worker has let its lease end go back to their place in the queue, with the attempt given back; those that lost more workers than the setting "max_lost" allows have failed for good. Returns how many.

Comes from the queue's end of the lock order: it takes only what nobody else holds.$$;

revoke all on function tasker.recover_lost_steps(tasker.step_queue[], integer) from public;
-- <<<

-- >>> db/schema/functions/internal/start_steps.sql
create or replace function tasker.start_steps(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.workflow_steps[]
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
  v_now     timestamptz := tasker.clock();
  -- Partitions outside the span of these tasks are not opened.
  v_tasks   uuid[] := array(select distinct u.task_uuid from unnest(p_taken) as u order by u.task_uuid);
  v_started tasker.workflow_steps[];
begin
  -- What a lock returns is the newest row, whatever the statement's snapshot: it may be judged at once.
  with locked as materialized (
    select s.task_uuid, s.step_no
      from unnest(p_taken) as u
     cross join lateral (
       select s.task_uuid, s.step_no, s.state
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
          and s.step_no = u.step_no
          for no key update skip locked
     ) as s
     where s.state = 'enqueued'
  ),
  started as (
    update tasker.workflow_steps as s
       set state             = 'in_progress',
           transition_count  = s.transition_count + 1,
           claim_no          = s.claim_no + 1,
           attempts          = s.attempts + 1,
           worker_uuid       = p_worker_uuid,
           lease_until       = p_lease_until,
           last_attempted_at = v_now
      from locked as k
     where s.task_uuid = any (array[k.task_uuid])
       and s.step_no = k.step_no
    returning s
  ),
  logged as (
    insert into tasker.workflow_step_transition_log (
      task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
    )
    select
      (t.s).task_uuid, (t.s).step_no, (t.s).transition_count, 'Start', 'enqueued', 'in_progress', (t.s).claim_no,
      p_worker_uuid, v_now
    from started as t
  )
  -- A row of the table's type: one of the query's own would be turned into text and back.
  select coalesce(array_agg(t.s), '{}') into v_started from started as t;

  -- Somebody has the step in hand: its row is looked at again in a second.
  if cardinality(p_taken) > cardinality(v_started) then
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           claim_no   = s.claim_no,
           visible_at = v_now + interval '1 second'
      from unnest(p_taken) as u
     cross join lateral (
       select s.priority, s.claim_no
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
       offset 0
     ) as s
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no
       and not exists (
         select
           from unnest(v_started) as l
          where l.task_uuid = u.task_uuid
            and l.step_no = u.step_no
       );
  end if;
  return v_started;
end;
$$;

comment on function tasker.start_steps(tasker.step_queue[], uuid, timestamptz) is
$$Moves the steps of these queue rows, which the caller has taken, to in_progress: a new claim number, one attempt more, a lease. Returns those that it could.

Comes from the queue's end of the lock order: a step that somebody else holds is left.$$;

revoke all on function tasker.start_steps(tasker.step_queue[], uuid, timestamptz) from public;
-- <<<

-- >>> db/schema/functions/internal/take_steps.sql
create or replace function tasker.take_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[]
)
  returns tasker.workflow_steps[]
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
  v_now      timestamptz := tasker.clock();
  v_until    timestamptz := v_now + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_handlers uuid[];
  v_groups   tasker.step_queue[];
  v_lost     tasker.step_queue[];
begin
  if p_handlers is not null then
    v_handlers := array(
      select h.named_step_uuid
        from unnest(p_handlers) as u (name)
        join tasker.named_steps as h
          on h.name = u.name
    );
  end if;

  -- Lost steps that go back to the queue may be claimed at once.
  for v_turn in 1 .. 2 loop
    select
      array_agg(g) filter (where g.lane in ('high', 'normal', 'low')),
      array_agg(g) filter (where g.lane = 'running')
      into v_groups, v_lost
      from tasker.handler_groups(p_namespaces, v_handlers) as g
     where g.visible_at <= v_now;
    exit when v_lost is null or v_turn = 2 or tasker.recover_lost_steps(v_lost, 100) = 0;
  end loop;
  if v_groups is null then
    return '{}';
  end if;

  return tasker.start_steps(tasker.take_queue_rows(v_groups, p_limit, v_until, true), p_worker_uuid, v_until);
end;
$$;

comment on function tasker.take_steps(text[], uuid, integer, integer, text[]) is
$$The claim itself: steps of these handlers whose lease has ended go back to the queue, then ready steps of these namespaces and handlers are taken from it and started. Returns them.$$;

revoke all on function tasker.take_steps(text[], uuid, integer, integer, text[]) from public;
-- <<<

-- >>> db/schema/functions/internal/note_worker.sql
create or replace function tasker.note_worker(
  p_worker_uuid   uuid,
  p_request_uuid  uuid,
  p_steps         tasker.workflow_steps[]
)
  returns void
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
  v_now       timestamptz := tasker.clock();
  v_request   uuid;
  v_uuids     uuid[];
  v_claim_nos integer[];
begin
  if p_request_uuid is not null and cardinality(p_steps) > 0 then
    v_request := p_request_uuid;
    select array_agg(s.workflow_step_uuid), array_agg(s.claim_no)
      into v_uuids, v_claim_nos
      from unnest(p_steps) as s;
  end if;

  -- A claim that found nothing writes nothing, unless the worker has not been seen for a while: nothing is
  -- lost with its reply, and a commit that has written waits for the disk.
  update tasker.workers as w
     set last_seen_at      = v_now,
         claimed_count     = w.claimed_count + cardinality(p_steps),
         request_uuid      = v_request,
         request_steps     = v_uuids,
         request_claim_nos = v_claim_nos
   where w.worker_uuid = p_worker_uuid
     and (cardinality(p_steps) > 0 or w.last_seen_at < v_now - interval '10 seconds');
  if found then
    return;
  end if;

  insert into tasker.workers (worker_uuid, name, claimed_count, request_uuid, request_steps, request_claim_nos)
  values (p_worker_uuid, p_worker_uuid::text, cardinality(p_steps), v_request, v_uuids, v_claim_nos)
  on conflict (worker_uuid) do nothing;
end;
$$;

comment on function tasker.note_worker(uuid, uuid, tasker.workflow_steps[]) is
$$Remembers at a worker that it lives and what it has just claimed; one that has not registered is entered under its UUID for a name. The last lock of a claim.$$;

revoke all on function tasker.note_worker(uuid, uuid, tasker.workflow_steps[]) from public;
-- <<<

-- >>> db/schema/functions/internal/repeated_claim.sql
create or replace function tasker.repeated_claim(p_worker_uuid uuid, p_request_uuid uuid)
  returns tasker.workflow_steps[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_worker tasker.workers;
begin
  select w.*
    into v_worker
    from tasker.workers as w
   where w.worker_uuid = p_worker_uuid
     and w.request_uuid = p_request_uuid;
  if not found then
    return null;
  end if;

  return array(
    select s
      from unnest(v_worker.request_steps, v_worker.request_claim_nos) with ordinality as u (step_uuid, claim_no, position)
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where s.state = 'in_progress'
       and s.claim_no = u.claim_no
     order by u.position
  );
end;
$$;

comment on function tasker.repeated_claim(uuid, uuid) is
$$What the worker's newest claim handed out, if it had this request's UUID and as far as it still runs; null if it is a new request.$$;

revoke all on function tasker.repeated_claim(uuid, uuid) from public;
-- <<<

-- >>> db/schema/functions/internal/gather_parent_results.sql
create or replace function tasker.gather_parent_results(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_parent  record;
  v_bytes   bigint  := 0;
  v_names   text[]  := '{}';
  v_results jsonb[] := '{}';
begin
  -- One after the other: what is beyond the budget is never read, however much it is.
  for v_parent in
    select p.name, p.results
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.name, p.results, p.state
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_step_no
       and p.state in ('complete', 'resolved_manually')
  loop
    v_bytes := v_bytes + coalesce(octet_length(v_parent.results::text), 0);
    if v_bytes > p_bytes then
      return null;
    end if;
    v_names := v_names || v_parent.name;
    v_results := v_results || v_parent.results;
  end loop;

  return (
    select coalesce(jsonb_object_agg(u.name, u.results), '{}')
      from unnest(v_names, v_results) as u (name, results)
  );
end;
$$;

comment on function tasker.gather_parent_results(uuid, integer, bigint) is
$$The results of a step's many parents by their names, or null if they are larger than p_bytes.$$;

revoke all on function tasker.gather_parent_results(uuid, integer, bigint) from public;
-- <<<

-- >>> db/schema/functions/internal/describe_claims.sql
create or replace function tasker.describe_claims(p_steps tasker.workflow_steps[])
  returns setof tasker.claimed_steps
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  -- The same share for each step: one with large data cannot take it from the others.
  v_share bigint  := tasker.setting_integer('claim_bytes') / greatest(cardinality(p_steps), 1);
  -- The results of so many parents fit into one value, however large they are.
  v_few   integer := 134217728 / tasker.setting_integer('result_bytes');
  -- Partitions outside the span of these tasks are not opened.
  v_tasks uuid[]  := array(select distinct s.task_uuid from unnest(p_steps) as s order by s.task_uuid);
begin
  return query
  select
    s.workflow_step_uuid, s.claim_no, s.task_uuid, s.step_no, n.name, k.name, k.version, s.name,
    (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid),
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds,
    t.correlation_id, t.parent_correlation_id, t.headers, s.inputs, s.checkpoint,
    case when s.attempts > 1 then s.last_error end,
    case when t.bytes <= v_share then t.context end,
    case
      when s.total_parents = 0 then '{}'::jsonb
      when s.total_parents > v_few then tasker.gather_parent_results(s.task_uuid, s.step_no, v_share - t.bytes)
      when r.bytes <= v_share - t.bytes then r.results
    end
  from unnest(p_steps) with ordinality as s
  cross join lateral (
    select
      t.named_task_uuid, t.has_added_edges, t.correlation_id, t.parent_correlation_id, t.headers, t.context,
      octet_length(t.context::text) as bytes
      from tasker.tasks as t
     where t.task_uuid = s.task_uuid
       and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join lateral (
    select
      coalesce(sum(octet_length(p.results::text)), 0) as bytes,
      coalesce(jsonb_object_agg(p.name, p.results), '{}') as results
    from tasker.step_parents(s.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no) as e
    cross join lateral (
      select p.name, p.results, p.state
        from tasker.workflow_steps as p
       where p.task_uuid = s.task_uuid
         and p.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
         and p.step_no = e.from_step_no
      offset 0
    ) as p
    where s.total_parents between 1 and v_few
      and p.state in ('complete', 'resolved_manually')
  ) as r
    on true
  order by s.ordinality;
end;
$$;

comment on function tasker.describe_claims(tasker.workflow_steps[]) is
$$What the handlers of claimed steps need, one row for each step in their order. Each step has the same share of the setting "claim_bytes"; context and parents' results that are larger are left out.$$;

revoke all on function tasker.describe_claims(tasker.workflow_steps[]) from public;
-- <<<

-- >>> db/schema/functions/orchestrate/claim_steps.sql
create or replace function tasker.claim_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer  default 1,
  p_lease_seconds  integer  default null,
  p_handlers       text[]   default null,
  p_request_uuid   uuid     default null
)
  returns setof tasker.claimed_steps
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now        timestamptz := tasker.clock();
  v_namespaces text[];
  v_steps      tasker.workflow_steps[];
begin
  perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);

  -- A claim comes to the steps before it reads their tasks. Retention locks the tables from the tasks on:
  -- locked in that order here too, without a row being read, nobody waits in a circle.
  perform from tasker.tasks as t where false;
  v_namespaces := tasker.claimable_namespaces(p_namespaces);

  if p_request_uuid is not null then
    v_steps := tasker.repeated_claim(p_worker_uuid, p_request_uuid);
  end if;
  if v_steps is null then
    -- One look tells that nothing is due, as is the rule.
    if exists (select from tasker.timers as m where m.due_at <= v_now)
       or exists (select from tasker.waiting_tasks as w where not w.deferred and w.discovered_until is null)
       or exists (select from tasker.waiting_tasks as w where w.discovered_until <= v_now)
    then
      perform tasker.fire_due_timers(100);
      perform tasker.advance_waiting_tasks(false, 100);
    end if;
    v_steps := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers);
    perform tasker.note_worker(p_worker_uuid, p_request_uuid, v_steps);
  end if;

  return query select d.* from tasker.describe_claims(v_steps) as d;
end;
$$;

comment on function tasker.claim_steps(text[], uuid, integer, integer, text[], uuid) is
$$Hands ready steps to a worker: at most p_limit, of these namespaces (null: all) and handlers (null: all), under a lease, each with its claim number and all that its handler needs. No step is handed to two workers. Lanes share by the settings lane_weight_…, namespaces come in turn, paused ones not at all, and what has waited longest goes first.

Whatever is due is done first: timers are fired, tasks that a direct call touched are moved on, steps of these namespaces and handlers whose worker has let its lease end go back to the queue; so workers suffice to drive a system. Repeated with the same p_request_uuid it hands out the same steps again, as far as they still run: the reply may have been lost.

Locks queue rows, steps and for what is due tasks, each only if nobody holds it; the worker's row last. Raises TK422 for an argument out of range, TK404 for an unknown namespace, TK403 if the role is bound to others, TK409 above READ COMMITTED.$$;

revoke all on function tasker.claim_steps(text[], uuid, integer, integer, text[], uuid) from public;
grant execute on function tasker.claim_steps(text[], uuid, integer, integer, text[], uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/claim_step.sql
create or replace function tasker.claim_step(
  p_step_uuid      uuid,
  p_worker_uuid    uuid,
  p_lease_seconds  integer  default null
)
  returns setof tasker.claimed_steps
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_until timestamptz := v_now + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_taken tasker.step_queue[];
  v_steps tasker.workflow_steps[];
begin
  perform tasker.check_claim(p_worker_uuid, 1, p_lease_seconds);

  -- A claim comes to the steps before it reads their tasks. Retention locks the tables from the tasks on:
  -- locked in that order here too, without a row being read, nobody waits in a circle.
  perform from tasker.tasks as t where false;
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  -- Its worker may be lost; only this group of the queue is looked at.
  perform tasker.recover_lost_steps(array_agg(q), 100)
     from tasker.step_queue as q
    where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
      and q.step_no = tasker.step_no_of(p_step_uuid)
      and q.lane = 'running'
      and q.visible_at <= v_now
   having count(*) > 0;

  with taken as (
    update tasker.step_queue as q
       set visible_at = v_until,
           lane       = 'running',
           claim_no   = q.claim_no + 1
      from (
        select
          from tasker.step_queue as k
          join tasker.task_namespaces as n
            on n.name = k.namespace
         where k.task_uuid = tasker.task_uuid_of(p_step_uuid)
           and k.step_no = tasker.step_no_of(p_step_uuid)
           and k.lane in ('high', 'normal', 'low')
           and k.visible_at <= v_now
           and n.paused_at is null
           for update of k skip locked
      ) as k
     where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and q.step_no = tasker.step_no_of(p_step_uuid)
    returning q.*
  )
  select array_agg(t) into v_taken from taken as t;

  v_steps := tasker.start_steps(v_taken, p_worker_uuid, v_until);
  perform tasker.note_worker(p_worker_uuid, null, v_steps);
  return query select d.* from tasker.describe_claims(v_steps) as d;
end;
$$;

comment on function tasker.claim_step(uuid, uuid, integer) is
$$Hands one known step to a worker, as claim_steps does, if it is ready: after tasker.pgmq_read_specific_message, or a message of another broker. No row if it is not in the queue, somebody else has it, or its namespace is paused.

Locks the queue row and the step, only if nobody holds them; the worker's row last. Raises TK404 if there is no such step, TK422 for an argument out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

revoke all on function tasker.claim_step(uuid, uuid, integer) from public;
grant execute on function tasker.claim_step(uuid, uuid, integer)
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/exchange_steps.sql
create or replace function tasker.exchange_steps(
  p_worker_uuid         uuid,
  p_step_uuids          uuid[]     default null,
  p_claim_nos           integer[]  default null,
  p_results             jsonb[]    default null,
  p_errors              text[]     default null,
  p_permanent           boolean[]  default null,
  p_backoff_seconds     integer[]  default null,
  p_execution_times_ms  bigint[]   default null,
  p_namespaces          text[]     default null,
  p_limit               integer    default 0,
  p_lease_seconds       integer    default null,
  p_handlers            text[]     default null,
  p_request_uuid        uuid       default null
)
  returns setof tasker.step_exchanges
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);

  return query
  select
    r.step_uuid, r.claim_no, r.answer, r.next_retry_at,
    null::uuid, null::integer, null, null, null, null, null, null::integer, null::integer, null::integer, null::integer,
    null::timestamptz, null::integer, null::uuid, null::uuid, null::jsonb, null::jsonb, null::jsonb, null, null::jsonb, null::jsonb
  from unnest(tasker.record_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  )) as r;

  if p_limit > 0 then
    return query
    select
      c.step_uuid, c.claim_no, null, null::timestamptz,
      c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
      c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
      c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results
    from tasker.claim_steps(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid) as c;
  end if;
end;
$$;

comment on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) is
$$Results in, new steps out, in one round trip and one transaction: complete_steps for those without an error, fail_steps for those with one, then claim_steps for at most p_limit. First a row with the answer to each result, in order, then a row without an answer for each step that was claimed.

Arguments, locks and errors as there. Repeated after a lost reply with the same p_request_uuid, results are answered again without harm and the same steps are handed out.$$;

revoke all on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) from public;
grant execute on function tasker.exchange_steps(
  uuid, uuid[], integer[], jsonb[], text[], boolean[], integer[], bigint[], text[], integer, integer, text[], uuid
) to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/extend_leases.sql
create or replace function tasker.extend_leases(
  p_step_uuids     uuid[],
  p_claim_nos      integer[],
  p_lease_seconds  integer  default null
)
  returns setof tasker.step_leases
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_until timestamptz := tasker.clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_queue uuid[];
  v_held  uuid[];
begin
  perform tasker.check_claim(coalesce(p_step_uuids[1], gen_random_uuid()), 1, p_lease_seconds);
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- From the queue's end of the lock order, so nothing is waited for.
  v_queue := array(
    select u.step_uuid
      from unnest(p_step_uuids) as u (step_uuid)
     cross join lateral (
       select
         from tasker.step_queue as q
        where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and q.step_no = tasker.step_no_of(u.step_uuid)
          for update skip locked
     ) as q
  );
  v_held := array(
    select u.step_uuid
      from unnest(v_queue) as u (step_uuid)
     cross join lateral (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
          for no key update skip locked
     ) as s
  );

  -- The queue not by "=" alone: analyzed while it was empty it would be read from end to end.
  return query
  with extended as (
    update tasker.workflow_steps as s
       set lease_until = v_until
      from (
        select tasker.task_uuid_of(u.step_uuid) as task_uuid, tasker.step_no_of(u.step_uuid) as step_no, u.claim_no
          from unnest(p_step_uuids, p_claim_nos) as u (step_uuid, claim_no)
         where u.step_uuid = any (v_held)
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.claim_no = u.claim_no
       and s.state = 'in_progress'
    returning s.task_uuid, s.step_no, s.workflow_step_uuid
  ),
  hidden as (
    update tasker.step_queue as q
       set visible_at = v_until
      from extended as x
     where q.task_uuid = any (array[x.task_uuid])
       and q.step_no = x.step_no
  )
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'
      when x.step_no is not null then 'extended'
      when s.state = 'cancelled' then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    case when x.step_no is not null then v_until end
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s
    on true
  left join extended as x
    on x.workflow_step_uuid = u.step_uuid
  order by u.position;
end;
$$;

comment on function tasker.extend_leases(uuid[], integer[], integer) is
$$Renews the leases of running steps: they belong to their workers for p_lease_seconds more, null for the setting. One answer for each, in order: extended, stale (stop working on it: its result would be refused), cancelled, not_found, busy.

Locks queue rows and steps, only if nobody holds them. Raises TK422 if the arrays do not match or the lease is out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

revoke all on function tasker.extend_leases(uuid[], integer[], integer) from public;
grant execute on function tasker.extend_leases(uuid[], integer[], integer)
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/checkpoint_step.sql
create or replace function tasker.checkpoint_step(
  p_step_uuid      uuid,
  p_claim_no       integer,
  p_checkpoint     jsonb,
  p_lease_seconds  integer  default null
)
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_until timestamptz := tasker.clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_bytes bigint := octet_length(p_checkpoint::text);
  v_step  tasker.workflow_steps;
begin
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  perform tasker.check_claim(p_step_uuid, 1, p_lease_seconds);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  if v_bytes > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a checkpoint of %s bytes is too large', v_bytes),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large state elsewhere and keep a reference, or raise the setting "result_bytes".';
  end if;

  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state = 'cancelled' then
    return 'cancelled';
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    return 'stale';
  end if;

  update tasker.workflow_steps as s
     set checkpoint  = p_checkpoint,
         lease_until = v_until
   where s.task_uuid = v_step.task_uuid
     and s.step_no = v_step.step_no;
  update tasker.step_queue as q
     set visible_at = v_until
   where q.task_uuid = v_step.task_uuid
     and q.step_no = v_step.step_no;
  return 'saved';
end;
$$;

comment on function tasker.checkpoint_step(uuid, integer, jsonb, integer) is
$$Keeps how far a running step has come: the next attempt's claim hands it out. Renews the lease as well. The answer is saved, stale or cancelled.

The claim number is the fence. Locks the step, then its queue row. Raises TK404 if there is no such step, TK413 if the checkpoint is over the setting "result_bytes", TK422 for an argument that is null or out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

revoke all on function tasker.checkpoint_step(uuid, integer, jsonb, integer) from public;
grant execute on function tasker.checkpoint_step(uuid, integer, jsonb, integer)
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/release_steps.sql
create or replace function tasker.release_steps(p_step_uuids uuid[], p_claim_nos integer[])
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '2s'
as $$
declare
  v_held  boolean[];
  v_steps tasker.workflow_steps[];
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- It holds no task, so it waits for no step.
  v_held := tasker.lock_steps(
    array(select tasker.task_uuid_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position),
    array(select tasker.step_no_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position)
  );
  v_steps := array(
    select s
      from unnest(p_step_uuids, p_claim_nos, v_held) as u (step_uuid, claim_no, held)
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where u.held
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
  );
  perform tasker.requeue_steps(v_steps, 'Release', 0);

  return query
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'
      when exists (select from unnest(v_steps) as r where r.workflow_step_uuid = u.step_uuid) then 'released'
      when s.state = 'cancelled' then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    null::timestamptz
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s
    on true
  order by u.position;
end;
$$;

comment on function tasker.release_steps(uuid[], integer[]) is
$$Hands claimed steps back that were not begun, at a shutdown: they return to their place in the queue and the attempt does not count. One answer for each, in order: released; stale; cancelled; not_found; busy, if somebody holds the step: send it again.

The claim number is the fence. Locks the steps, only if nobody holds them, then their queue rows. Raises TK422 if the arrays do not match, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

revoke all on function tasker.release_steps(uuid[], integer[]) from public;
grant execute on function tasker.release_steps(uuid[], integer[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/step/get_parent_results.sql
create or replace function tasker.get_parent_results(
  p_step_uuid      uuid,
  p_after_step_no  integer  default 0,
  p_limit          integer  default 100
)
  returns setof tasker.parent_results
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  return query
  select
    p.step_no,
    p.name,
    p.results
  from tasker.workflow_step_edges as e
  cross join lateral (
    select p.step_no, p.name, p.results, p.state
      from tasker.workflow_steps as p
     where p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
    offset 0
  ) as p
  where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and e.to_step_no = tasker.step_no_of(p_step_uuid)
    and e.from_step_no > coalesce(p_after_step_no, 0)
    and p.state in ('complete', 'resolved_manually')
  order by e.from_step_no
  limit p_limit;
end;
$$;

comment on function tasker.get_parent_results(uuid, integer, integer) is
$$The results of a step's parents that have succeeded, in the order of their numbers, in pages: the last number of one page is p_after_step_no of the next. For what a claim left out because it is large.

Raises TK404 if there is no such step, TK422 for a limit out of range, TK403 if the role is bound to other namespaces.$$;

revoke all on function tasker.get_parent_results(uuid, integer, integer) from public;
grant execute on function tasker.get_parent_results(uuid, integer, integer)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/orchestrate/register_worker.sql
create or replace function tasker.register_worker(
  p_worker_uuid  uuid,
  p_name         text,
  p_namespaces   text[]  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_inserted boolean;
begin
  if p_worker_uuid is null or length(p_name) not between 1 and 200 or p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'a worker needs a UUID, and a name of 1 to 200 characters',
      hint    = 'A new UUID for each process, and a name that people recognise: host and process.';
  end if;
  perform tasker.check_bound_namespaces(p_namespaces);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  insert into tasker.workers as w (worker_uuid, name, namespaces)
  values (p_worker_uuid, p_name, coalesce(p_namespaces, '{}'))
  on conflict (worker_uuid) do update
     set name         = excluded.name,
         namespaces   = excluded.namespaces,
         last_seen_at = tasker.clock()
  returning w.xmax = 0 into v_inserted;
  return v_inserted;
end;
$$;

comment on function tasker.register_worker(uuid, text, text[]) is
$$Enters a worker process under a name that people recognise, with the namespaces that it works in (null: all). True if it is new; a known one is renamed.

Not needed to claim: an unknown worker is entered by its first claim, under its UUID for a name. Locks the worker's row. Raises TK422 without a UUID or a name of 1 to 200 characters, TK404 for an unknown namespace, TK403 if the role is bound to others.$$;

revoke all on function tasker.register_worker(uuid, text, text[]) from public;
grant execute on function tasker.register_worker(uuid, text, text[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/heartbeat_worker.sql
create or replace function tasker.heartbeat_worker(p_worker_uuid uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.workers as w
     set last_seen_at = tasker.clock()
   where w.worker_uuid = p_worker_uuid;
  return found;
end;
$$;

comment on function tasker.heartbeat_worker(uuid) is
$$Says that a worker lives. False if it is not known: register it again. Claims say it too. Locks the worker's row.$$;

revoke all on function tasker.heartbeat_worker(uuid) from public;
grant execute on function tasker.heartbeat_worker(uuid) to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/list_workers.sql
create or replace function tasker.list_workers(p_seen_within interval default null)
  returns setof tasker.worker_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    w.worker_uuid,
    w.name,
    w.namespaces,
    w.registered_at,
    w.last_seen_at,
    w.claimed_count
  from tasker.workers as w
  where p_seen_within is null
     or w.last_seen_at > tasker.clock() - p_seen_within
  order by w.last_seen_at desc;
end;
$$;

comment on function tasker.list_workers(interval) is
$$Worker processes, the one seen last first: all that are known, or those seen within so long.$$;

revoke all on function tasker.list_workers(interval) from public;
grant execute on function tasker.list_workers(interval) to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/orchestrate/process_step_results.sql
create or replace function tasker.process_step_results(p_limit integer default 100)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_taken  tasker.step_queue[];
  v_locked uuid[];
  v_moves  tasker.workflow_step_transition_log[];
begin
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  v_taken := tasker.take_queue_rows(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'results'
         and g.visible_at <= v_now
    ),
    p_limit, v_now + interval '1 second', false
  );
  perform tasker.discard_result_messages(p_limit);
  if cardinality(v_taken) = 0 then
    return 0;
  end if;

  -- A task that somebody else holds is looked at again in a second.
  v_locked := tasker.lock_tasks(array(select q.task_uuid from unnest(v_taken) as q), false);
  with judged as (
    select s.*
      from unnest(v_taken) as q
     cross join lateral (
       select
         s.task_uuid,
         s.step_no,
         s.state as recorded_state,
         case
           when s.state = 'enqueued_for_orchestration' then 'complete'
           when s.attempts >= s.max_attempts or not s.retryable or l.metadata @> '{"permanent": true}' then 'error'
           else 'waiting_for_retry'
         end::tasker.step_state as to_state,
         tasker.next_attempt_at(
           s.attempts, s.backoff_request_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
         ) as retry_at
         from tasker.workflow_steps as s
         join tasker.workflow_step_transition_log as l
           on l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.sort_key = s.transition_count
        where s.task_uuid = q.task_uuid
          and s.step_no = q.step_no
          and s.state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
          for no key update of s skip locked
     ) as s
     where q.task_uuid = any (v_locked)
  ),
  written as (
    update tasker.workflow_steps as s
       set state            = j.to_state,
           transition_count = s.transition_count + 1,
           next_retry_at    = case when j.to_state = 'waiting_for_retry' then j.retry_at end,
           processed_at     = case when j.to_state = 'complete' then v_now end
      from judged as j
     where s.task_uuid = any (array[j.task_uuid])
       and s.step_no = j.step_no
    returning s.task_uuid, s.step_no, s.transition_count, s.claim_no, s.next_retry_at, s.state, j.recorded_state
  ),
  timed as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    select w.task_uuid, w.step_no, 'retry_step', w.next_retry_at
      from written as w
     where w.state = 'waiting_for_retry'
  )
  select array_agg((
      w.task_uuid, w.step_no, w.transition_count,
      case w.state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      w.recorded_state, w.state, w.claim_no, null, null, null, null, null, v_now
    )::tasker.workflow_step_transition_log)
    into v_moves
    from written as w;

  perform tasker.process_moves(v_moves);
  return coalesce(cardinality(v_moves), 0);
end;
$$;

comment on function tasker.process_step_results(integer) is
$$Processes results that workers of namespaces with result_mode deferred have recorded, and moves their tasks on as complete_steps does. Returns how many.

Any number of orchestrators may call it at once: each takes other results. A task that somebody else holds is left for a second. The truth is in the queue; as many messages of orchestration_step_results, which announced the results, are taken away. Locks queue rows and tasks, only if nobody holds them, then steps. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.process_step_results(integer) from public;
grant execute on function tasker.process_step_results(integer) to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/internal/create_requested_task.sql
create or replace function tasker.create_requested_task(p_request jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_request jsonb;
  v_unknown text;
begin
  if jsonb_typeof(p_request) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'a task request is not a JSON object',
      detail  = format('It is of type %s.', coalesce(jsonb_typeof(p_request), 'null'));
  end if;
  select k.key
    into v_unknown
    from jsonb_object_keys(p_request) as k (key)
   where k.key not in (
     'namespace', 'name', 'context', 'version', 'identity_key', 'task_uuid', 'priority', 'tags', 'initiator',
     'source_system', 'reason', 'correlation_id', 'parent_correlation_id', 'headers', 'start_at', 'deferred',
     'deadline', 'identity_ttl'
   )
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('a task request has no field "%s"', left(v_unknown, 100)),
      hint    = 'Its fields are the arguments of tasker.create_task without "p_".';
  end if;

  -- Where a program writes null it means that it says nothing.
  select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    into v_request
    from jsonb_each(p_request) as f
   where f.value <> 'null';

  perform tasker.create_task(
    v_request ->> 'namespace',
    v_request ->> 'name',
    coalesce(v_request -> 'context', '{}'),
    v_request ->> 'version',
    v_request ->> 'identity_key',
    (v_request ->> 'task_uuid')::uuid,
    (v_request ->> 'priority')::integer,
    case when v_request ? 'tags' then array(select jsonb_array_elements_text(v_request -> 'tags')) end,
    v_request ->> 'initiator',
    v_request ->> 'source_system',
    v_request ->> 'reason',
    (v_request ->> 'correlation_id')::uuid,
    (v_request ->> 'parent_correlation_id')::uuid,
    v_request -> 'headers',
    (v_request ->> 'start_at')::timestamptz,
    (v_request ->> 'deferred')::boolean,
    (v_request ->> 'deadline')::timestamptz,
    (v_request ->> 'identity_ttl')::interval
  );
end;
$$;

comment on function tasker.create_requested_task(jsonb) is
$$create_task with its arguments in one object; a null is as if it were not there. Raises TK422 for a field that is none of them.$$;

revoke all on function tasker.create_requested_task(jsonb) from public;
-- <<<

-- >>> db/schema/functions/internal/reject_task_request.sql
create or replace function tasker.reject_task_request(
  p_msg_id   bigint,
  p_request  jsonb,
  p_code     text,
  p_error    text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not tasker.queue_exists('orchestration_task_requests_rejected') then
    perform tasker.ensure_task_queue('orchestration_task_requests_rejected');
  end if;
  perform pgmq.send(
    'orchestration_task_requests_rejected',
    jsonb_build_object('request', p_request, 'code', p_code, 'error', p_error, 'rejected_at', tasker.clock())
  );
  perform pgmq.delete('orchestration_task_requests', p_msg_id);
end;
$$;

comment on function tasker.reject_task_request(bigint, jsonb, text, text) is
$$Moves a request that cannot be carried out to the queue orchestration_task_requests_rejected, with the error.$$;

revoke all on function tasker.reject_task_request(bigint, jsonb, text, text) from public;
-- <<<

-- >>> db/schema/functions/orchestrate/process_task_requests.sql
create or replace function tasker.process_task_requests(p_limit integer default 100)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_request record;
  v_count   integer := 0;
begin
  perform tasker.check_limit(p_limit, 10000);
  if not tasker.queue_exists('orchestration_task_requests') then
    return 0;
  end if;

  for v_request in
    select m.msg_id, m.read_ct, m.message
      from pgmq.read('orchestration_task_requests', 30, p_limit) as m
  loop
    -- One bad request must not keep the others: each in a subtransaction of its own.
    begin
      perform tasker.create_requested_task(v_request.message);
      perform pgmq.delete('orchestration_task_requests', v_request.msg_id);
      v_count := v_count + 1;
    exception
      when others then
        -- What is wrong with the request itself (class 22: a value of the wrong kind) stays wrong.
        if sqlstate like 'TK%' or sqlstate like '22%' or v_request.read_ct >= 10 then
          perform tasker.reject_task_request(v_request.msg_id, v_request.message, sqlstate, sqlerrm);
        end if;
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.process_task_requests(integer) is
$$Creates the tasks that messages in the pgmq queue orchestration_task_requests ask for: objects with the arguments of create_task without "p_" (namespace, name, context, version, identity_key, priority, …). Returns how many; a request that is delivered twice finds its task, by the template's identity strategy or its task_uuid.

The message is deleted in the same transaction. One that cannot be carried out goes, with the code and the error, to the queue orchestration_task_requests_rejected; one that met a passing trouble is read again later, ten times at most. Takes messages that nobody else reads; locks what create_task locks, for each. Raises TK422 for a limit out of range.$$;

revoke all on function tasker.process_task_requests(integer) from public;
grant execute on function tasker.process_task_requests(integer) to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/orchestrate/next_due_at.sql
create or replace function tasker.next_due_at(p_namespaces text[] default null, p_orchestrator boolean default false)
  returns timestamptz
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- A running step whose lease has ended counts only after workers had the time to renew.
  return least(
    (select min(m.due_at) from tasker.timers as m),
    -- Whichever waits is due; which one waits longest does not matter.
    (select w.waiting_since from tasker.waiting_tasks as w where not w.deferred and w.discovered_until is null limit 1),
    (
      select w.waiting_since
        from tasker.waiting_tasks as w
       where w.deferred
         and w.discovered_until is null
         and p_orchestrator
       limit 1
    ),
    (select min(w.discovered_until) from tasker.waiting_tasks as w where w.discovered_until is not null),
    (
      select min(case when g.lane = 'running'
          then greatest(
            g.visible_at,
            tasker.server_started_at() + make_interval(secs => tasker.setting_integer('lease_seconds'))
          )
          else g.visible_at
        end)
        from tasker.queue_groups(tasker.claimable_namespaces(p_namespaces)) as g
       where g.lane = 'running'
          or not p_orchestrator and g.lane <> 'results'
    ),
    -- An orchestrator processes what is recorded of paused namespaces, too.
    case when p_orchestrator then (
      select min(g.visible_at)
        from tasker.queue_groups(array(
          select n.name
            from tasker.task_namespaces as n
           where p_namespaces is null
              or n.name = any (p_namespaces)
        )) as g
       where g.lane = 'results'
    ) end
  );
end;
$$;

comment on function tasker.next_due_at(text[], boolean) is
$$When there is something to do next in these namespaces, null for all: a timer, a lease that ends, a task that a direct call touched; for a worker also a ready step, for an orchestrator (p_orchestrator) also a deferred start or result. In the past or now if there is now; null if nothing is due ever. So long an idle client may sleep, unless a notification wakes it.

Raises TK404 for an unknown namespace, TK403 if the role is bound to others.$$;

revoke all on function tasker.next_due_at(text[], boolean) from public;
grant execute on function tasker.next_due_at(text[], boolean) to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/orchestrate/orchestrate.sql
create or replace function tasker.orchestrate(p_limit integer default 100)
  returns setof tasker.orchestration_reports
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_report tasker.orchestration_reports;
begin
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);

  v_report.requests_processed := tasker.process_task_requests(p_limit);
  v_report.timers_fired := tasker.fire_due_timers(p_limit);
  v_report.tasks_advanced := tasker.advance_waiting_tasks(false, p_limit) + tasker.advance_waiting_tasks(true, p_limit);
  v_report.steps_recovered := tasker.recover_lost_steps(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'running'
         and g.visible_at <= tasker.clock()
    ),
    p_limit
  );
  v_report.results_processed := tasker.process_step_results(p_limit);
  v_report.next_due_at := tasker.next_due_at(null, true);
  return next v_report;
end;
$$;

comment on function tasker.orchestrate(integer) is
$$All that an orchestrator, pg_cron or a poller has to do, in one call, at most p_limit of each: task requests, due timers, tasks that wait for an orchestrator, steps whose worker is lost, deferred results. One row that says what was done.

Any number may call it at once. Locks what process_task_requests, fire_due_timers and process_step_results lock, one after the other, and queue rows and steps of lost workers if nobody holds them. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

revoke all on function tasker.orchestrate(integer) from public;
grant execute on function tasker.orchestrate(integer) to tasker_orchestrator, tasker_operator;
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop function tasker.orchestrate;
drop function tasker.next_due_at;
drop function tasker.process_task_requests;
drop function tasker.reject_task_request;
drop function tasker.create_requested_task;
drop function tasker.process_step_results;
drop function tasker.list_workers;
drop function tasker.heartbeat_worker;
drop function tasker.register_worker;
drop function tasker.get_parent_results;
drop function tasker.release_steps;
drop function tasker.checkpoint_step;
drop function tasker.extend_leases;
drop function tasker.exchange_steps;
drop function tasker.claim_step;
drop function tasker.claim_steps;
drop function tasker.describe_claims;
drop function tasker.gather_parent_results;
drop function tasker.repeated_claim;
drop function tasker.note_worker;
drop function tasker.take_steps;
drop function tasker.start_steps;
drop function tasker.recover_lost_steps;
drop function tasker.requeue_steps;
drop function tasker.take_queue_rows;
drop function tasker.lane_quotas;
drop function tasker.handler_groups;
drop function tasker.queue_groups;
drop function tasker.fire_due_timers;
drop function tasker.expire_tasks;
drop function tasker.fire_retries;
drop function tasker.fail_steps;
drop function tasker.complete_steps;
drop function tasker.record_results;
drop function tasker.apply_results;
drop function tasker.answer_results;
drop function tasker.refused_results;
drop function tasker.results_are_deferred;
drop function tasker.finish_steps;
drop function tasker.next_attempt_at;
drop function tasker.discard_result_messages;
drop function tasker.defer_results;
drop function tasker.queue_exists;
drop function tasker.process_moves;
drop function tasker.advance_waiting_tasks;
drop function tasker.advance_tasks;
drop function tasker.enqueue_ready_steps;
drop function tasker.evaluate_tasks;
drop function tasker.settle_steps;
drop function tasker.task_facts;
drop table tasker.task_facts;
drop function tasker.clear_ended_tasks;
drop function tasker.task_outcome;
drop function tasker.step_is_active;
drop function tasker.step_is_open;
drop function tasker.lock_steps;
drop function tasker.lock_tasks;
drop function tasker.lock_schedules;
drop function tasker.server_started_at;
drop function tasker.claimable_namespaces;
drop function tasker.check_step_results;
drop function tasker.check_step_claims;
drop function tasker.check_claim;
drop function tasker.check_bound_steps;
drop function tasker.check_bound_namespaces;
drop function tasker.bound_namespaces;
drop function tasker.check_namespace_exists;
drop function tasker.check_limit;
drop function tasker.check_isolation;
drop table tasker.orchestration_reports;
drop table tasker.worker_details;
drop table tasker.parent_results;
drop table tasker.step_exchanges;
drop table tasker.step_leases;
drop table tasker.step_answers;
drop table tasker.claimed_steps;
drop table tasker.worker_namespaces;

reset role;
