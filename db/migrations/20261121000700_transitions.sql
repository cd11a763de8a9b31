-- transitions: one task or step moved at a time, with its guards and effects
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/functions/internal/raise_task_not_found.sql
create or replace function tasker.raise_task_not_found(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('task %s does not exist', coalesce(p_task_uuid::text, 'null')),
    hint    = 'A task''s UUID is what creating it returned; it goes with its partition when retention drops it.';
end;
$$;

comment on function tasker.raise_task_not_found(uuid) is
$$Raises TK404 for a task.$$;

revoke all on function tasker.raise_task_not_found(uuid) from public;
-- <<<

-- >>> db/schema/functions/internal/raise_step_not_found.sql
create or replace function tasker.raise_step_not_found(p_step_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('step %s does not exist', coalesce(p_step_uuid::text, 'null')),
    hint    = 'A step''s UUID is its task''s with the step''s number in the last four digits.';
end;
$$;

comment on function tasker.raise_step_not_found(uuid) is
$$Raises TK404 for a step.$$;

revoke all on function tasker.raise_step_not_found(uuid) from public;
-- <<<

-- >>> db/schema/functions/task/get_current_task_state.sql
create or replace function tasker.get_current_task_state(p_task_uuid uuid)
  returns tasker.task_state
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
declare
  v_state tasker.task_state;
begin
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_state;
end;
$$;

comment on function tasker.get_current_task_state(uuid) is
$$The state that a task is in: one probe of its row, however long its history. Raises TK404 if there is no such task.$$;

revoke all on function tasker.get_current_task_state(uuid) from public;
grant execute on function tasker.get_current_task_state(uuid)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/get_current_step_state.sql
create or replace function tasker.get_current_step_state(p_step_uuid uuid)
  returns tasker.step_state
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
declare
  v_state tasker.step_state;
begin
  select s.state
    into v_state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_state;
end;
$$;

comment on function tasker.get_current_step_state(uuid) is
$$The state that a step is in: one probe of its row, however long its history. Raises TK404 if there is no such step.$$;

revoke all on function tasker.get_current_step_state(uuid) from public;
grant execute on function tasker.get_current_step_state(uuid)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/internal/join_holds.sql
create or replace function tasker.join_holds(
  p_join_mode          text,
  p_total_parents      integer,
  p_pending_parents    integer,
  p_satisfied_parents  integer
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_pending_parents = 0
     and case p_join_mode
           when 'any' then p_satisfied_parents > 0 or p_total_parents = 0
           when 'settled' then true
           else p_satisfied_parents = p_total_parents
         end;
end;

comment on function tasker.join_holds(text, integer, integer, integer) is
$$Whether a step with these parents may run: all of them have settled, and its join is satisfied. If they have settled and it is not, the step is to be skipped.$$;

revoke all on function tasker.join_holds(text, integer, integer, integer) from public;
-- <<<

-- >>> db/schema/functions/task/task_can_complete.sql
create or replace function tasker.task_can_complete(p_task_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select t.open_steps = 0 and t.failed_steps = 0
    into v_holds
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.task_can_complete(uuid) is
$$Whether every step of a task is done, by its counters.

A guard of transition_task_state_atomic. Raises TK404 if there is no such task.$$;

revoke all on function tasker.task_can_complete(uuid) from public;
grant execute on function tasker.task_can_complete(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_dependencies_met.sql
create or replace function tasker.step_dependencies_met(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_dependencies_met(uuid) is
$$Whether a step's parents have all settled and its join is satisfied.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_dependencies_met(uuid) from public;
grant execute on function tasker.step_dependencies_met(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_not_in_progress.sql
create or replace function tasker.step_not_in_progress(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.state <> 'in_progress'
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_not_in_progress(uuid) is
$$Whether no worker has the step.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_not_in_progress(uuid) from public;
grant execute on function tasker.step_not_in_progress(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_has_attempts_left.sql
create or replace function tasker.step_has_attempts_left(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.retryable and s.attempts < s.max_attempts
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_has_attempts_left(uuid) is
$$Whether a step may fail once more without failing for good.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_has_attempts_left(uuid) from public;
grant execute on function tasker.step_has_attempts_left(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_can_be_retried.sql
create or replace function tasker.step_can_be_retried(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.state = 'error' or (s.state = 'waiting_for_retry' and s.next_retry_at <= tasker.clock())
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_can_be_retried(uuid) is
$$Whether a step failed for good, so that an operator may start it again, or its wait for the next attempt is over.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_can_be_retried(uuid) from public;
grant execute on function tasker.step_can_be_retried(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_can_be_enqueued_for_orchestration.sql
create or replace function tasker.step_can_be_enqueued_for_orchestration(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.state = 'in_progress'
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_can_be_enqueued_for_orchestration(uuid) is
$$Whether a step is with a worker, which may record its result or failure.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_can_be_enqueued_for_orchestration(uuid) from public;
grant execute on function tasker.step_can_be_enqueued_for_orchestration(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_can_be_completed_from_orchestration.sql
create or replace function tasker.step_can_be_completed_from_orchestration(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.state = 'enqueued_for_orchestration'
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_can_be_completed_from_orchestration(uuid) is
$$Whether a step's result is recorded and waits to be processed.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_can_be_completed_from_orchestration(uuid) from public;
grant execute on function tasker.step_can_be_completed_from_orchestration(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/step/step_can_be_failed_from_orchestration.sql
create or replace function tasker.step_can_be_failed_from_orchestration(p_step_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  select s.state = 'enqueued_as_error_for_orchestration'
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_can_be_failed_from_orchestration(uuid) is
$$Whether a step's failure is recorded and waits to be processed.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step.$$;

revoke all on function tasker.step_can_be_failed_from_orchestration(uuid) from public;
grant execute on function tasker.step_can_be_failed_from_orchestration(uuid)
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/readiness/calculate_backoff_delay.sql
create or replace function tasker.calculate_backoff_delay(
  p_attempts     integer,
  p_base_delay   numeric  default null,
  p_multiplier   numeric  default null,
  p_max_seconds  integer  default null
)
  returns numeric
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_base       numeric := coalesce(p_base_delay, tasker.setting_numeric('backoff_base'));
  v_multiplier numeric := coalesce(p_multiplier, tasker.setting_numeric('backoff_multiplier'));
  v_max        integer := coalesce(p_max_seconds, tasker.setting_integer('max_backoff_seconds'));
begin
  if p_attempts is null or p_attempts < 0 or v_base <= 0 or v_multiplier < 1 or v_max < 0
     or v_base in ('NaN', 'Infinity') or v_multiplier in ('NaN', 'Infinity') then
    raise exception using
      errcode = 'TK422',
      message = 'a backoff cannot be computed from these arguments',
      detail  = format(
        'attempts %s, base delay %s, multiplier %s, at most %s seconds',
        coalesce(p_attempts::text, 'null'), v_base, v_multiplier, v_max
      ),
      hint    = 'Attempts and the maximum are 0 or more, the base delay is above 0, the multiplier 1 or more.';
  end if;

  -- Compared as logarithms first: the power itself may be larger than any number type holds.
  if p_attempts = 0 or v_max = 0 then
    return 0;
  end if;
  if v_base >= v_max or ln(greatest(v_base, 1e-300)::float8) + p_attempts * ln(least(v_multiplier, 1e300)::float8)
       > ln(v_max::float8) + 0.001 then
    return v_max;
  end if;
  return least(v_base * v_multiplier ^ p_attempts, v_max);
end;
$$;

comment on function tasker.calculate_backoff_delay(integer, numeric, numeric, integer) is
$$Seconds to wait after the given number of attempts: base delay × multiplier ^ attempts, at most p_max_seconds; 0 after none.

Null means the setting (backoff_base, backoff_multiplier, max_backoff_seconds). Never overflows. Without jitter. Raises TK422 for arguments out of their range.$$;

revoke all on function tasker.calculate_backoff_delay(integer, numeric, numeric, integer) from public;
grant execute on function tasker.calculate_backoff_delay(integer, numeric, numeric, integer)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/internal/check_transition_metadata.sql
create or replace function tasker.check_transition_metadata(p_metadata jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key  text;
  v_size bigint;
begin
  if jsonb_typeof(p_metadata) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the metadata of a transition is not a JSON object',
      detail  = format('It is of type %s.', jsonb_typeof(p_metadata));
  end if;

  foreach v_key in array array['execution_time_ms', 'backoff_seconds'] loop
    if p_metadata ? v_key and not coalesce(
      jsonb_typeof(p_metadata -> v_key) = 'number' and (p_metadata ->> v_key) ~ '^[0-9]{1,9}$', false
    ) then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a whole number of at most nine digits', v_key),
        detail  = format('It is %s.', left((p_metadata -> v_key)::text, 100));
    end if;
  end loop;

  foreach v_key in array array['event', 'reason', 'error'] loop
    if p_metadata ? v_key and jsonb_typeof(p_metadata -> v_key) <> 'string' then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a text', v_key),
        detail  = format('It is of type %s.', jsonb_typeof(p_metadata -> v_key));
    end if;
  end loop;

  v_size := octet_length(p_metadata::text);
  if v_size > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('%s bytes of results and metadata are too many', v_size),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large results elsewhere and hand on a reference, or raise the setting "result_bytes".';
  end if;
end;
$$;

comment on function tasker.check_transition_metadata(jsonb) is
$$Raises TK422 if the metadata of a transition, or one of the keys that mean something in it, is malformed, TK413 if it is too large.$$;

revoke all on function tasker.check_transition_metadata(jsonb) from public;
-- <<<

-- >>> db/schema/functions/internal/check_step_guards.sql
create or replace function tasker.check_step_guards(p_step_uuid uuid, p_event text, p_from_state tasker.step_state)
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
declare
  v_refusal text;
begin
  -- The state machine has allowed the event; these conditions a state alone does not show.
  v_refusal := case
    when p_event = 'Enqueue' and not tasker.step_dependencies_met(p_step_uuid)
      then 'its dependencies are not met'
    when p_event = 'Skip' and not exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.pending_parents = 0
         and not tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    )
      then 'its parents have not settled, or its join is satisfied'
    when p_event = 'LeaseExpired' and not exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.lease_until <= tasker.clock()
    )
      then 'the lease of its worker has not ended'
    when p_event = 'WaitForRetry' and not tasker.step_has_attempts_left(p_step_uuid)
      then 'it has no attempts left'
    when p_event = 'Retry' and not tasker.step_can_be_retried(p_step_uuid)
      then 'its next attempt is not due yet'
  end;

  if v_refusal is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s cannot leave %s by %s: %s', p_step_uuid, p_from_state, p_event, v_refusal),
      hint    = 'tasker.explain_step(step) tells what it waits for.';
  end if;
end;
$$;

comment on function tasker.check_step_guards(uuid, text, tasker.step_state) is
$$Raises TK409 if a guard forbids the event. The caller holds the step's lock.$$;

revoke all on function tasker.check_step_guards(uuid, text, tasker.step_state) from public;
-- <<<

-- >>> db/schema/functions/internal/check_task_guards.sql
create or replace function tasker.check_task_guards(p_task tasker.tasks, p_to_state tasker.task_state)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_refusal text;
begin
  -- The state machine has allowed the transition; these conditions a state alone does not show.
  v_refusal := case
    when p_to_state = 'complete' and not tasker.task_can_complete(p_task.task_uuid)
      then 'it has steps that are not done'
    when p_to_state = 'steps_in_process' and p_task.active_steps = 0
      then 'none of its steps is in the pipeline'
    when p_to_state = 'waiting_for_retry' and p_task.retrying_steps = 0
      then 'none of its steps waits for a retry'
    when p_to_state = 'blocked_by_failures' and p_task.failed_steps = 0
      then 'none of its steps has failed'
    when p_to_state = 'blocked_by_failures' and p_task.active_steps + p_task.retrying_steps > 0
      then 'some of its steps can still move'
  end;

  if v_refusal is not null then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot go from %s to %s: %s', p_task.task_uuid, p_task.state, p_to_state, v_refusal),
      detail  = format(
        'Of %s steps %s are open, %s in the pipeline, %s wait for a retry, %s have failed.',
        p_task.total_steps, p_task.open_steps, p_task.active_steps, p_task.retrying_steps, p_task.failed_steps
      );
  end if;
end;
$$;

comment on function tasker.check_task_guards(tasker.tasks, tasker.task_state) is
$$Raises TK409 if a guard forbids the transition. The caller holds the task's lock.$$;

revoke all on function tasker.check_task_guards(tasker.tasks, tasker.task_state) from public;
-- <<<

-- >>> db/schema/functions/internal/notify_steps_ready.sql
create or replace function tasker.notify_steps_ready(p_namespace text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A constant payload: PostgreSQL sends equal notifications of one transaction once.
  if tasker.setting_boolean('notify') then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
end;
$$;

comment on function tasker.notify_steps_ready(text) is
$$Wakes the workers of a namespace, once per transaction, unless the setting "notify" is off.$$;

revoke all on function tasker.notify_steps_ready(text) from public;
-- <<<

-- >>> db/schema/functions/internal/notify_task_events.sql
create or replace function tasker.notify_task_events(p_moves tasker.task_transition_log[])
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
  if p_moves is null or not tasker.setting_boolean('notify') then
    return;
  end if;

  perform pg_notify(
    'tasker_task_events',
    json_build_object(
      'task_uuid', m.task_uuid,
      'namespace', n.name,
      'from_state', m.from_state,
      'to_state', m.to_state,
      'event', m.event
    )::text
  )
     from unnest(p_moves) as m
    cross join lateral (
      select n.name
        from tasker.tasks as t
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where t.task_uuid = m.task_uuid
      offset 0
    ) as n;
end;
$$;

comment on function tasker.notify_task_events(tasker.task_transition_log[]) is
$$Tells listeners of tasker_task_events about transitions of tasks, unless the setting "notify" is off.$$;

revoke all on function tasker.notify_task_events(tasker.task_transition_log[]) from public;
-- <<<

-- >>> db/schema/functions/internal/notify_orchestrators.sql
create or replace function tasker.notify_orchestrators()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A constant payload: PostgreSQL sends equal notifications of one transaction once.
  if tasker.setting_boolean('notify') then
    perform pg_notify('pgmq_message_ready.orchestration', '');
  end if;
end;
$$;

comment on function tasker.notify_orchestrators() is
$$Wakes orchestrators, once per transaction, unless the setting "notify" is off: on the channel on which messages for them are announced.$$;

revoke all on function tasker.notify_orchestrators() from public;
-- <<<

-- >>> db/schema/functions/discover/computed_task_priority.sql
create or replace function tasker.computed_task_priority(
  p_priority         integer,
  p_modifier         numeric,
  p_waiting_since    timestamptz,
  p_retries          bigint       default 0,
  p_requested_at     timestamptz  default null,
  p_deadline         timestamptz  default null,
  p_age_factor       numeric      default null,
  p_retry_factor     numeric      default null,
  p_deadline_factor  numeric      default null
)
  returns numeric
  language sql
  stable
  parallel safe
begin atomic
  select p_priority
    + coalesce(p_modifier, 0)
    + coalesce(p_age_factor, tasker.setting_numeric('priority_age_factor'))
      * greatest(extract(epoch from tasker.clock() - p_waiting_since) / 3600, 0)
    + coalesce(p_retry_factor, tasker.setting_numeric('priority_retry_factor')) * coalesce(p_retries, 0)
    + case
        when p_deadline is null then 0
        else coalesce(p_deadline_factor, tasker.setting_numeric('priority_deadline_factor'))
          * case
              when p_deadline <= coalesce(p_requested_at, p_waiting_since) then 1
              else least(greatest(
                extract(epoch from tasker.clock() - coalesce(p_requested_at, p_waiting_since))
                / extract(epoch from p_deadline - coalesce(p_requested_at, p_waiting_since)), 0
              ), 1)
            end
      end;
end;

comment on function tasker.computed_task_priority(
  integer, numeric, timestamptz, bigint, timestamptz, timestamptz, numeric, numeric, numeric
) is
$$The order in which waiting tasks are taken: priority + namespace's modifier + age factor × hours waited + retry factor × retries + deadline factor × share of the time between request and deadline that has passed.

Never falls while a task waits. A factor that is null is the setting. Inlined where it is used.$$;

revoke all on function tasker.computed_task_priority(
  integer, numeric, timestamptz, bigint, timestamptz, timestamptz, numeric, numeric, numeric
) from public;
-- <<<

-- >>> db/schema/functions/discover/dispatch_rank.sql
create or replace function tasker.dispatch_rank(
  p_priority       integer,
  p_modifier       numeric,
  p_waiting_since  timestamptz,
  p_retries        bigint,
  p_requested_at   timestamptz,
  p_deadline       timestamptz
)
  returns double precision
  language sql
  stable
  parallel safe
begin atomic
  -- What age adds grows by the same for all: without it the order of two tasks does not depend on when
  -- they are compared.
  select (
    tasker.computed_task_priority(
      p_priority, p_modifier, p_waiting_since, p_retries, p_requested_at, p_deadline
    )
    - tasker.setting_numeric('priority_age_factor') * extract(epoch from tasker.clock()) / 3600
  )::double precision;
end;

comment on function tasker.dispatch_rank(integer, numeric, timestamptz, bigint, timestamptz, timestamptz) is
$$What the computed priority comes to if age is counted from one instant for all: a number to index by.

Exact when it is made. A deadline that comes near, another modifier or another factor change it; tasker.rank_waiting_tasks brings the rows up to date.$$;

revoke all on function tasker.dispatch_rank(integer, numeric, timestamptz, bigint, timestamptz, timestamptz) from public;
-- <<<

-- >>> db/schema/functions/internal/await_orchestrator.sql
create or replace function tasker.await_orchestrator(p_task_uuid uuid)
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
  update tasker.waiting_tasks as w
     set deferred = false
    from tasker.tasks as t
   where w.task_uuid = p_task_uuid
     and w.deferred
     and t.task_uuid = p_task_uuid
     and t.state <> 'pending';

  insert into tasker.waiting_tasks (task_uuid, priority, dispatch_rank)
  select
    t.task_uuid,
    t.priority,
    tasker.dispatch_rank(t.priority, n.priority_modifier, tasker.clock(), s.retries, t.requested_at, t.deadline)
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer) as retries
      from tasker.workflow_steps as s
     where s.task_uuid = t.task_uuid
  ) as s
  where t.task_uuid = p_task_uuid
    and not t.complete
    and not exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task_uuid)
  on conflict (task_uuid) do nothing;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.await_orchestrator(uuid) is
$$Sees to it that an orchestrator evaluates a task that is still open, so that no direct call can leave it stuck.$$;

revoke all on function tasker.await_orchestrator(uuid) from public;
-- <<<

-- >>> db/schema/functions/internal/condition_holds.sql
create or replace function tasker.condition_holds(p_condition jsonpath, p_results jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- match, not exists: a predicate has a truth value; silent: whatever does not fit is false.
  select p_condition is null
      or coalesce(
        case when jsonb_typeof(jsonb_path_query_first(p_results, p_condition, '{}', true)) = 'boolean'
          then jsonb_path_query_first(p_results, p_condition, '{}', true)::boolean
        end,
        false
      );
end;

comment on function tasker.condition_holds(jsonpath, jsonb) is
$$Whether an edge's condition holds for its parent's results. Null holds always; a predicate that does not fit the results does not.$$;

revoke all on function tasker.condition_holds(jsonpath, jsonb) from public;
-- <<<

-- >>> db/schema/functions/internal/settle_children.sql
create or replace function tasker.settle_children(
  p_task_uuid  uuid,
  p_step_nos   integer[],
  p_child_no   integer  default null
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
begin
  -- Two parents of one child may settle at once: what comes to each child is added up first. "offset 0"
  -- keeps each look a probe of the whole key, where statistics of small tasks would have a wide one's
  -- steps read for each of them.
  update tasker.workflow_steps as s
     set pending_parents   = s.pending_parents - d.settled,
         satisfied_parents = s.satisfied_parents + d.satisfied
    from (
      select
        u.task_uuid,
        e.to_step_no,
        count(*)::integer as settled,
        count(*) filter (
          where p.state in ('complete', 'resolved_manually')
            and tasker.condition_holds(e.condition, p.results)
        )::integer as satisfied
      from (select p_task_uuid, s.step_no from unnest(p_step_nos) as s (step_no) offset 0) as u (task_uuid, step_no)
      cross join lateral (
        select e.to_step_no, e.condition
          from tasker.workflow_step_edges as e
         where e.task_uuid = u.task_uuid
           and e.from_step_no = u.step_no
           and e.to_step_no = coalesce(p_child_no, e.to_step_no)
        offset 0
      ) as e
      cross join lateral (
        select p.state, p.results
          from tasker.workflow_steps as p
         where p.task_uuid = u.task_uuid
           and p.step_no = u.step_no
        offset 0
      ) as p
      group by u.task_uuid, e.to_step_no
    ) as d
   where s.task_uuid = any (array[d.task_uuid])
     and s.step_no = d.to_step_no;
end;
$$;

comment on function tasker.settle_children(uuid, integer[], integer) is
$$Counts settled steps down at their children, or at the one child named: waited for no longer, satisfied if they succeeded and the edge's condition holds.

To be called once for each edge. The caller holds the task's lock.$$;

revoke all on function tasker.settle_children(uuid, integer[], integer) from public;
-- <<<

-- >>> db/schema/functions/internal/count_step_transition.sql
create or replace function tasker.count_step_transition(
  p_task_uuid   uuid,
  p_from_state  tasker.step_state,
  p_to_state    tasker.step_state
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
begin
  update tasker.tasks as t
     set open_steps     = t.open_steps + (not n.terminal)::integer - (not o.terminal)::integer,
         active_steps   = t.active_steps + n.in_processing_pipeline::integer - o.in_processing_pipeline::integer,
         retrying_steps = t.retrying_steps
           + (n.state = 'waiting_for_retry')::integer - (o.state = 'waiting_for_retry')::integer,
         failed_steps   = t.failed_steps + n.error::integer - o.error::integer,
         updated_at     = tasker.clock()
    from tasker.step_states as o
   cross join tasker.step_states as n
   where t.task_uuid = p_task_uuid
     and o.state = p_from_state
     and n.state = p_to_state;
end;
$$;

comment on function tasker.count_step_transition(uuid, tasker.step_state, tasker.step_state) is
$$Moves one step from one counter of its task to another. The caller holds the task's lock.$$;

revoke all on function tasker.count_step_transition(uuid, tasker.step_state, tasker.step_state) from public;
-- <<<

-- >>> db/schema/functions/internal/count_steps.sql
create or replace function tasker.count_steps(p_task_uuid uuid)
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
  update tasker.tasks as t
     set total_steps    = c.total,
         open_steps     = c.open,
         active_steps   = c.active,
         retrying_steps = c.retrying,
         failed_steps   = c.failed,
         updated_at     = tasker.clock()
    from (
      select
        count(*)::integer as total,
        count(*) filter (where not d.terminal)::integer as open,
        count(*) filter (where d.in_processing_pipeline)::integer as active,
        count(*) filter (where s.state = 'waiting_for_retry')::integer as retrying,
        count(*) filter (where d.error)::integer as failed
      from tasker.workflow_steps as s
      join tasker.step_states as d
        on d.state = s.state
      where s.task_uuid = p_task_uuid
    ) as c
   where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.count_steps(uuid) is
$$Counts a task's steps anew. For calls that touch many of them; single transitions add and subtract. The caller holds the task's lock.$$;

revoke all on function tasker.count_steps(uuid) from public;
-- <<<

-- >>> db/schema/functions/internal/step_lane.sql
create or replace function tasker.step_lane(p_state tasker.step_state, p_priority integer)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  -- Each arm is of the type: a cast of the whole would keep the function from being inlined.
  select case
    when p_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration') then 'results'::tasker.queue_lane
    when p_state = 'in_progress' then 'running'::tasker.queue_lane
    when p_priority > 0 then 'high'::tasker.queue_lane
    when p_priority < 0 then 'low'::tasker.queue_lane
    else 'normal'::tasker.queue_lane
  end;
end;

comment on function tasker.step_lane(tasker.step_state, integer) is
$$The lane of the queue that a step in the pipeline belongs to.$$;

revoke all on function tasker.step_lane(tasker.step_state, integer) from public;
-- <<<

-- >>> db/schema/functions/internal/step_queue_name.sql
create or replace function tasker.step_queue_name(p_namespace text, p_lane tasker.queue_lane)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select 'worker_' || p_namespace || '_queue' || case p_lane when 'high' then '_high' when 'low' then '_low' else '' end;
end;

comment on function tasker.step_queue_name(text, tasker.queue_lane) is
$$The pgmq queue in which the steps of a namespace's lane are announced, where its transport is pgmq.$$;

revoke all on function tasker.step_queue_name(text, tasker.queue_lane) from public;
-- <<<

-- >>> db/schema/functions/internal/announce_steps.sql
create or replace function tasker.announce_steps(
  p_namespace   text,
  p_task_uuids  uuid[],
  p_step_nos    integer[]  default null
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
  v_lane     tasker.queue_lane;
  v_messages jsonb[];
begin
  perform tasker.notify_steps_ready(p_namespace);
  if not exists (
    select
      from tasker.task_namespaces as n
     where n.name = p_namespace
       and n.transport = 'pgmq'
  ) then
    return;
  end if;

  for v_lane, v_messages in
    select
      q.lane,
      array_agg(
        jsonb_build_object(
          'task_uuid', q.task_uuid,
          'step_uuid', tasker.step_uuid(q.task_uuid, q.step_no),
          'correlation_id', t.correlation_id
        )
        order by q.task_uuid, q.step_no
      )
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
    cross join lateral (
      select q.lane, q.task_uuid, q.step_no
        from tasker.step_queue as q
       where q.task_uuid = u.task_uuid
         and q.step_no = coalesce(u.step_no, q.step_no)
         and q.lane in ('high', 'normal', 'low')
      offset 0
    ) as q
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
      offset 0
    ) as t
    group by q.lane
    order by q.lane
  loop
    perform tasker.pgmq_send_batch_with_notify(tasker.step_queue_name(p_namespace, v_lane), v_messages);
  end loop;
end;
$$;

comment on function tasker.announce_steps(text, uuid[], integer[]) is
$$Wakes the workers of a namespace for steps that were just enqueued: p_step_nos gives one for each task, null stands for all that the task has in the queue. Where the namespace's transport is pgmq it also sends a message for each: task_uuid, step_uuid, correlation_id.$$;

revoke all on function tasker.announce_steps(text, uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/internal/announce_queue_rows.sql
create or replace function tasker.announce_queue_rows(p_task_uuids uuid[], p_step_nos integer[])
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
  perform tasker.announce_steps(n.namespace, n.task_uuids, n.step_nos)
     from (
       select q.namespace, array_agg(q.task_uuid) as task_uuids, array_agg(q.step_no) as step_nos
         from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
        cross join lateral (
          select q.namespace, q.task_uuid, q.step_no
            from tasker.step_queue as q
           where q.task_uuid = u.task_uuid
             and q.step_no = u.step_no
          offset 0
        ) as q
        group by q.namespace
     ) as n;
end;
$$;

comment on function tasker.announce_queue_rows(uuid[], integer[]) is
$$Announces steps that were just put into the queue, each by its task and number, to the namespaces that their rows name.$$;

revoke all on function tasker.announce_queue_rows(uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/internal/namespace_of_task.sql
create or replace function tasker.namespace_of_task(p_task_uuid uuid)
  returns text
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
  return (
    select n.name
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.namespace_of_task(uuid) is
$$The name of the namespace that a task belongs to.$$;

revoke all on function tasker.namespace_of_task(uuid) from public;
-- <<<

-- >>> db/schema/functions/internal/place_step.sql
create or replace function tasker.place_step(p_step tasker.workflow_steps)
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
  v_namespace text;
begin
  delete from tasker.timers as m
   where m.task_uuid = p_step.task_uuid
     and m.step_no = p_step.step_no
     and m.kind = 'retry_step';

  if p_step.state = 'waiting_for_retry' then
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    values (p_step.task_uuid, p_step.step_no, 'retry_step', p_step.next_retry_at);
  end if;

  if p_step.state not in (
    'enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'
  ) then
    delete from tasker.step_queue as q
     where q.task_uuid = p_step.task_uuid
       and q.step_no = p_step.step_no;
    return;
  end if;

  v_namespace := tasker.namespace_of_task(p_step.task_uuid);
  insert into tasker.step_queue as q (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  values (
    p_step.task_uuid, p_step.step_no, v_namespace,
    tasker.step_lane(p_step.state, p_step.priority),
    p_step.named_step_uuid, p_step.claim_no, coalesce(p_step.lease_until, tasker.clock())
  )
  on conflict (task_uuid, step_no) do update
     set lane       = excluded.lane,
         claim_no   = excluded.claim_no,
         visible_at = excluded.visible_at;

  if p_step.state = 'enqueued' then
    perform tasker.announce_steps(v_namespace, array[p_step.task_uuid], array[p_step.step_no]);
  end if;
end;
$$;

comment on function tasker.place_step(tasker.workflow_steps) is
$$Puts a step where its state belongs: into the queue, onto a timer, or out of both; wakes workers if it is ready. The caller holds the task's lock.$$;

revoke all on function tasker.place_step(tasker.workflow_steps) from public;
-- <<<

-- >>> db/schema/functions/internal/write_step_transition.sql
create or replace function tasker.write_step_transition(
  p_step            tasker.workflow_steps,
  p_event           text,
  p_to_state        tasker.step_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns tasker.workflow_steps
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
  v_lease interval;
  v_wait  interval;
  v_step  tasker.workflow_steps;
begin
  if p_to_state = 'in_progress' then
    v_lease := make_interval(secs => tasker.setting_integer('lease_seconds'));
  elsif p_to_state = 'waiting_for_retry' then
    v_wait := make_interval(secs => coalesce(
      (p_metadata ->> 'backoff_seconds')::integer,
      p_step.backoff_request_seconds,
      tasker.calculate_backoff_delay(
        p_step.attempts, p_step.backoff_base_seconds, p_step.backoff_multiplier, p_step.max_backoff_seconds
      ) * (1 - tasker.setting_numeric('backoff_jitter') * random()::numeric)
    )::double precision);
  end if;

  update tasker.workflow_steps as s
     set state             = p_to_state,
         transition_count  = s.transition_count + 1,
         next_retry_at     = v_now + v_wait,
         lease_until       = v_now + v_lease,
         claim_no          = s.claim_no + (p_event = 'Start')::integer,
         worker_uuid       = case when p_event = 'Start' then p_processor_uuid else s.worker_uuid end,
         last_attempted_at = case when p_event = 'Start' then v_now else s.last_attempted_at end,
         attempts          = case
           when p_event = 'Start' then s.attempts + 1
           when p_event in ('Release', 'LeaseExpired') then greatest(s.attempts - 1, 0)
           when s.state = 'error' and p_to_state = 'pending' then 0
           else s.attempts
         end,
         lost_count        = case
           when p_event = 'LeaseExpired' then s.lost_count + 1
           when s.state = 'error' and p_to_state = 'pending' then 0
           else s.lost_count
         end,
         backoff_request_seconds = case
           when p_to_state = 'enqueued_as_error_for_orchestration' then (p_metadata ->> 'backoff_seconds')::integer
           when p_to_state = 'pending' then null
           else s.backoff_request_seconds
         end,
         last_failure_at   = case
           when p_to_state = 'enqueued_as_error_for_orchestration' or (p_to_state = 'error' and s.last_failure_at is null)
           then v_now else s.last_failure_at
         end,
         last_error        = coalesce(p_metadata ->> 'error', s.last_error),
         results           = coalesce(p_metadata -> 'results', s.results),
         processed_at      = case when p_to_state in ('complete', 'resolved_manually') then v_now end
   where s.task_uuid = p_step.task_uuid
     and s.step_no = p_step.step_no
  returning s.* into v_step;

  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no,
    execution_time_ms, worker_uuid, actor, reason, metadata, created_at
  )
  values (
    v_step.task_uuid, v_step.step_no, v_step.transition_count, p_event, p_step.state, p_to_state, v_step.claim_no,
    (p_metadata ->> 'execution_time_ms')::bigint,
    -- The worker speaks for itself; what others do is not its doing.
    coalesce(
      p_processor_uuid,
      case when p_event in ('EnqueueForOrchestration', 'Release', 'LeaseExpired') then v_step.worker_uuid end
    ),
    p_actor, p_metadata ->> 'reason',
    nullif(p_metadata - '{event,reason,results,execution_time_ms}'::text[], '{}'), v_now
  );
  return v_step;
end;
$$;

comment on function tasker.write_step_transition(tasker.workflow_steps, text, tasker.step_state, uuid, jsonb, text) is
$$Writes one transition of a step: its row and its log. The caller has locked the task and the step and checked the guards.$$;

revoke all on function tasker.write_step_transition(tasker.workflow_steps, text, tasker.step_state, uuid, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/step/transition_step_state_atomic.sql
create or replace function tasker.transition_step_state_atomic(
  p_step_uuid       uuid,
  p_from_state      text,
  p_to_state        text,
  p_processor_uuid  uuid   default null,
  p_metadata        jsonb  default '{}'
)
  returns boolean
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
  v_from  tasker.step_state := tasker.parse_step_state(p_from_state);
  v_to    tasker.step_state := tasker.parse_step_state(p_to_state);
  v_event text;
  v_task  tasker.tasks;
  v_old   tasker.workflow_steps;
  v_new   tasker.workflow_steps;
begin
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.step_event(v_from, v_to, p_metadata ->> 'event');
  if p_metadata ? 'results' and v_to <> 'enqueued_for_orchestration' and v_event <> 'CompleteManually' then
    raise exception using
      errcode = 'TK422',
      message = format('a step takes no results when it goes from %s to %s', v_from, v_to),
      hint    = 'A worker records them by in_progress -> enqueued_for_orchestration, an operator by -> complete.';
  end if;

  -- The task before the step, as everywhere.
  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
     for no key update;
  select s.*
    into v_old
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;

  if v_old.state <> v_from then
    return false;
  end if;
  if v_task.complete or (v_task.state = 'pending' and v_to = 'enqueued') then
    raise exception using
      errcode = 'TK409',
      message = format('step %s cannot leave %s: its task is %s', p_step_uuid, v_from, v_task.state),
      hint    = 'Start the task, or reset it if it has failed.';
  end if;
  perform tasker.check_step_guards(p_step_uuid, v_event, v_from);

  v_new := tasker.write_step_transition(v_old, v_event, v_to, p_processor_uuid, p_metadata, tasker.caller_name());
  perform tasker.count_step_transition(v_new.task_uuid, v_from, v_to);
  if v_to in ('complete', 'resolved_manually', 'cancelled') then
    perform tasker.settle_children(v_new.task_uuid, array[v_new.step_no]);
  end if;
  perform tasker.place_step(v_new);
  perform tasker.await_orchestrator(v_new.task_uuid);
  return true;
end;
$$;

comment on function tasker.transition_step_state_atomic(uuid, text, text, uuid, jsonb) is
$$Compare and swap: moves a step from one state to another and returns true; returns false, with nothing changed, if it is not in p_from_state.

Leaves the same behind as the engine: log, audit, counters, queue row, timer and what its children wait for; an orchestrator then evaluates the task. p_processor_uuid is the worker or whoever acts. p_metadata may hold results, error, reason, execution_time_ms, backoff_seconds and, where several events lead from one state to the other, event; the rest of it is kept in the log.

Locks the task, then the step. Raises TK404 if there is no such step, TK409 if the transition never is allowed, a guard forbids it or the task has ended, TK413 if results and metadata are too large, TK422 if an argument is malformed.$$;

revoke all on function tasker.transition_step_state_atomic(uuid, text, text, uuid, jsonb) from public;
grant execute on function tasker.transition_step_state_atomic(uuid, text, text, uuid, jsonb)
  to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/internal/sweep_steps.sql
create or replace function tasker.sweep_steps(p_task_uuid uuid, p_sweep text, p_reason text, p_actor text)
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
  v_now     timestamptz := tasker.clock();
  v_settled integer[];
begin
  -- Claims and renewals need no lock on the task: what is read below must not change before it is written.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.state not in ('complete', 'cancelled', 'resolved_manually')
    order by s.step_no
      for no key update;

  -- The log first: it is written from the states that the steps are still in.
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, actor, reason, created_at
  )
  select
    s.task_uuid,
    s.step_no,
    s.transition_count + w.position,
    w.event,
    w.from_state,
    w.to_state,
    s.claim_no,
    s.worker_uuid,
    p_actor,
    p_reason,
    v_now
  from tasker.workflow_steps as s
  join tasker.step_sweeps as w
    on w.sweep = p_sweep
   and w.start_state = s.state
  where s.task_uuid = p_task_uuid;

  with swept as (
    update tasker.workflow_steps as s
       set state            = w.to_state,
           transition_count = s.transition_count + w.position,
           lease_until      = null,
           next_retry_at    = null,
           attempts         = case when p_sweep = 'reset' then 0 else s.attempts end,
           lost_count       = case when p_sweep = 'reset' then 0 else s.lost_count end,
           backoff_request_seconds = case when p_sweep <> 'reset' then s.backoff_request_seconds end,
           processed_at     = case when w.to_state = 'complete' then v_now end,
           last_failure_at  = case when w.to_state = 'error' then v_now else s.last_failure_at end,
           last_error       = case when w.to_state = 'error' then coalesce(p_reason, s.last_error) else s.last_error end
      from tasker.step_sweeps as w
     where s.task_uuid = p_task_uuid
       and w.sweep = p_sweep
       and w.start_state = s.state
       and w.last
    returning s.step_no, s.state
  )
  select coalesce(array_agg(d.step_no), '{}')
    into v_settled
    from swept as d
   where d.state in ('complete', 'cancelled');

  perform tasker.settle_children(p_task_uuid, v_settled);
  if p_sweep <> 'reset' then
    delete from tasker.step_queue as q where q.task_uuid = p_task_uuid;
    delete from tasker.timers as m where m.task_uuid = p_task_uuid;
  end if;
  perform tasker.count_steps(p_task_uuid);
end;
$$;

comment on function tasker.sweep_steps(uuid, text, text, text) is
$$Moves all steps of a task as tasker.step_sweeps says ("cancel", "fail" or "reset"), and unless it is a reset takes them and the task off the queue and the timers.

A few statements however many steps there are. Locks the steps; the caller holds the task's lock.$$;

revoke all on function tasker.sweep_steps(uuid, text, text, text) from public;
-- <<<

-- >>> db/schema/functions/internal/write_task_transition.sql
create or replace function tasker.write_task_transition(
  p_task            tasker.tasks,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
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
  v_state tasker.task_states;
begin
  select s.* into strict v_state from tasker.task_states as s where s.state = p_to_state;

  update tasker.tasks as t
     set state                   = p_to_state,
         transition_count        = t.transition_count + 1,
         processor_uuid          = case when v_state.requires_ownership then p_processor_uuid end,
         started_at              = case when p_event = 'Start' then coalesce(t.started_at, v_now) else t.started_at end,
         completed_at            = case when v_state.terminal then v_now end,
         finalization_claimed_at = null,
         finalization_claimed_until = null,
         finalization_claimed_by = null,
         updated_at              = v_now
   where t.task_uuid = p_task.task_uuid;

  insert into tasker.task_transition_log (
    task_uuid, sort_key, event, from_state, to_state, processor_uuid, actor, reason, metadata, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + 1, p_event, p_task.state, p_to_state, p_processor_uuid,
    p_actor, p_metadata ->> 'reason', nullif(p_metadata - '{event,reason}'::text[], '{}'), v_now
  );

  perform tasker.notify_task_events(array[(
    p_task.task_uuid, p_task.transition_count + 1, p_event, p_task.state, p_to_state, null, null, null, null, v_now
  )::tasker.task_transition_log]);
end;
$$;

comment on function tasker.write_task_transition(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) is
$$Writes one transition of a task: its row and its log, and tells listeners. The caller holds the task's lock and has checked the guards.$$;

revoke all on function tasker.write_task_transition(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/internal/schedule_task.sql
create or replace function tasker.schedule_task(p_task_uuid uuid, p_event text)
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
  if p_event = 'Start' then
    delete from tasker.timers as m
     where m.task_uuid = p_task_uuid
       and m.kind = 'start_task';
  elsif p_event = 'Reset' then
    insert into tasker.timers (task_uuid, kind, due_at)
    select
      t.task_uuid,
      'task_deadline',
      t.deadline
    from tasker.tasks as t
    where t.task_uuid = p_task_uuid
      and t.deadline > tasker.clock();
  end if;

  delete from tasker.waiting_tasks as w
   using tasker.tasks as t
   where w.task_uuid = p_task_uuid
     and t.task_uuid = p_task_uuid
     and t.complete;
  perform tasker.await_orchestrator(p_task_uuid);
end;
$$;

comment on function tasker.schedule_task(uuid, text) is
$$Brings a task's timers and its row for the orchestrator in line with the state that it was just moved to. The caller holds the task's lock.$$;

revoke all on function tasker.schedule_task(uuid, text) from public;
-- <<<

-- >>> db/schema/functions/internal/move_task.sql
create or replace function tasker.move_task(
  p_task            tasker.tasks,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason text := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
begin
  if p_to_state in ('cancelled', 'resolved_manually') then
    perform tasker.sweep_steps(p_task.task_uuid, 'cancel', v_reason, p_actor);
  elsif p_to_state in ('error', 'complete') then
    perform tasker.sweep_steps(p_task.task_uuid, 'fail', v_reason, p_actor);
  elsif p_event = 'Reset' then
    perform tasker.sweep_steps(p_task.task_uuid, 'reset', v_reason, p_actor);
  end if;

  perform tasker.write_task_transition(p_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
  perform tasker.schedule_task(p_task.task_uuid, p_event);
end;
$$;

comment on function tasker.move_task(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) is
$$Moves a task to a state, with all that belongs to it: its steps are cancelled, failed or reset with it, its row and log are written, its timers set, and if it is still open an orchestrator looks at it. The caller holds the task's lock and has checked the guards.$$;

revoke all on function tasker.move_task(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/task/transition_task_state_atomic.sql
create or replace function tasker.transition_task_state_atomic(
  p_task_uuid       uuid,
  p_from_state      text,
  p_to_state        text,
  p_processor_uuid  uuid   default null,
  p_metadata        jsonb  default '{}'
)
  returns boolean
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
  v_from  tasker.task_state := tasker.parse_task_state(p_from_state);
  v_to    tasker.task_state := tasker.parse_task_state(p_to_state);
  v_event text;
  v_task  tasker.tasks;
begin
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.task_event(v_from, v_to, p_metadata ->> 'event');

  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  if v_task.state <> v_from then
    return false;
  end if;
  -- Only active states have a processor, and a task that nobody owns is free to claim.
  if v_task.processor_uuid is distinct from p_processor_uuid
     and v_task.processor_uuid is not null
     and tasker.setting_boolean('enforce_processor_ownership') then
    return false;
  end if;
  perform tasker.check_task_guards(v_task, v_to);

  perform tasker.move_task(v_task, v_event, v_to, p_processor_uuid, p_metadata, tasker.caller_name());
  return true;
end;
$$;

comment on function tasker.transition_task_state_atomic(uuid, text, text, uuid, jsonb) is
$$Compare and swap: moves a task from one state to another and returns true; returns false, with nothing changed, if it is not in p_from_state.

Leaves the same behind as the engine: log, steps (cancelled, failed or reset with the task), queue, timers; an orchestrator then evaluates the task if it is still open. p_processor_uuid becomes the owner in an active state. With the setting enforce_processor_ownership it must be the owner, else the answer is false. p_metadata may hold reason and, where several events lead from one state to the other, event; the rest of it is kept in the log.

Locks the task, then its steps. Raises TK404 if there is no such task, TK409 if the transition never is allowed or a guard forbids it, TK413 if the metadata is too large, TK422 if an argument is malformed.$$;

revoke all on function tasker.transition_task_state_atomic(uuid, text, text, uuid, jsonb) from public;
grant execute on function tasker.transition_task_state_atomic(uuid, text, text, uuid, jsonb)
  to tasker_orchestrator, tasker_operator;
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop function tasker.transition_task_state_atomic;
drop function tasker.move_task;
drop function tasker.schedule_task;
drop function tasker.write_task_transition;
drop function tasker.sweep_steps;
drop function tasker.transition_step_state_atomic;
drop function tasker.write_step_transition;
drop function tasker.place_step;
drop function tasker.namespace_of_task;
drop function tasker.announce_queue_rows;
drop function tasker.announce_steps;
drop function tasker.step_queue_name;
drop function tasker.step_lane;
drop function tasker.count_steps;
drop function tasker.count_step_transition;
drop function tasker.settle_children;
drop function tasker.condition_holds;
drop function tasker.await_orchestrator;
drop function tasker.dispatch_rank;
drop function tasker.computed_task_priority;
drop function tasker.notify_orchestrators;
drop function tasker.notify_task_events;
drop function tasker.notify_steps_ready;
drop function tasker.check_task_guards;
drop function tasker.check_step_guards;
drop function tasker.check_transition_metadata;
drop function tasker.calculate_backoff_delay;
drop function tasker.step_can_be_failed_from_orchestration;
drop function tasker.step_can_be_completed_from_orchestration;
drop function tasker.step_can_be_enqueued_for_orchestration;
drop function tasker.step_can_be_retried;
drop function tasker.step_has_attempts_left;
drop function tasker.step_not_in_progress;
drop function tasker.step_dependencies_met;
drop function tasker.task_can_complete;
drop function tasker.join_holds;
drop function tasker.get_current_step_state;
drop function tasker.get_current_task_state;
drop function tasker.raise_step_not_found;
drop function tasker.raise_task_not_found;

reset role;
