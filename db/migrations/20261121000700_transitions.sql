-- transitions: one task or step moved at a time, with its guards and effects
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/lock/private/raise_task_not_found.sql
create or replace function tasker.raise_task_not_found(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('task %s does not exist', coalesce(p_task_uuid::text, 'null')),
    hint    = 'Creating a task returns its UUID; retention may have dropped the task with its partition.';
end;
$$;

comment on function tasker.raise_task_not_found is
$$Raises TK404 for a task.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/raise_task_locked.sql
create or replace function tasker.raise_task_locked(p_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_holder xid;
  v_table  oid;
begin
  select r.locker, r.relation
    into v_holder, v_table
    from (
      select t.xmax as locker, t.tableoid as relation from tasker.tasks as t where t.task_uuid = tasker.task_uuid_of(p_uuid)
      union all
      select s.xmax, s.tableoid from tasker.workflow_steps as s where s.task_uuid = tasker.task_uuid_of(p_uuid)
    ) as r
   order by exists (
     select from pg_locks as l where l.locktype = 'transactionid' and l.transactionid = r.locker and l.granted and l.pid <> pg_backend_pid()
   ) desc
   limit 1;
  raise exception using
    errcode = 'TK409',
    message = format('another session holds task %s', tasker.task_uuid_of(p_uuid)),
    detail  = tasker.describe_lock_holder(v_holder, v_table),
    hint    = 'Try again. If its transaction does not end, end the process with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.raise_task_locked is
$$Raises TK409 because a task or one of its steps could not be locked in time. The error names the process that holds it.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/raise_step_not_found.sql
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

comment on function tasker.raise_step_not_found is
$$Raises TK404 for a step.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_current_task_state.sql
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
  perform tasker.check_bound(p_task_uuid);
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

comment on function tasker.get_current_task_state is
$$Returns the state of a task. The cost is one probe of the task's row, and does not depend on the length of its
history. Raises TK404 if there is no such task, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_task_state
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_current_step_state.sql
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
  perform tasker.check_bound(p_step_uuid);
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

comment on function tasker.get_current_step_state is
$$Returns the state of a step. The cost is one probe of the step's row, and does not depend on the length of its
history. Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_step_state
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/join_holds.sql
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
  select (p_pending_parents = 0 or p_join_mode = 'first')
     and case p_join_mode
           when 'any' then p_satisfied_parents > 0 or p_total_parents = 0
           when 'settled' then true
           when 'first' then p_satisfied_parents > 0
           else p_satisfied_parents = p_total_parents
         end;
end;

comment on function tasker.join_holds is
$$Returns true if a step with these parents may run: all parents have settled, and the step's join is satisfied. With the join "first", one parent that satisfies the join is enough. If all parents have settled and the join is not satisfied, the step has to be skipped.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/task_can_complete.sql
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
  perform tasker.check_bound(p_task_uuid);
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

comment on function tasker.task_can_complete is
$$Returns true if all steps of a task are done, by the task's counters.

This function is a guard of transition_task_state_atomic. Raises TK404 if there is no such task, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.task_can_complete
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/private/guarded_step.sql
create or replace function tasker.guarded_step(p_step_uuid uuid)
  returns tasker.workflow_steps
  language plpgsql
  stable
as $$
declare
  v_step tasker.workflow_steps;
begin
  perform tasker.check_bound(p_step_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_step;
end;
$$;

comment on function tasker.guarded_step is
$$Returns the step for the functions that check guards. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_dependencies_met.sql
create or replace function tasker.step_dependencies_met(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_dependencies_met is
$$Returns true if all parents of a step have settled and its join is satisfied, by the engine's counters.

This function is a guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_dependencies_met
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_not_in_progress.sql
create or replace function tasker.step_not_in_progress(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.state <> 'in_progress'
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_not_in_progress is
$$Returns true if no worker runs the step.

This function is for clients. The engine does not call it, because its state machine already checks this condition. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_not_in_progress
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_has_attempts_left.sql
create or replace function tasker.step_has_attempts_left(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.retryable and s.attempts < s.max_attempts
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_has_attempts_left is
$$Returns true if a step has attempts left and may be retried after a failure.

This function is a guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_has_attempts_left
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_can_be_retried.sql
create or replace function tasker.step_can_be_retried(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.state = 'error' or (s.state = 'waiting_for_retry' and s.next_retry_at <= tasker.clock())
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_can_be_retried is
$$Returns true if a step may be retried: it has failed for good and an operator may start it again, or its wait for the next attempt is over.

This function is a guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_can_be_retried
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_can_be_enqueued_for_orchestration.sql
create or replace function tasker.step_can_be_enqueued_for_orchestration(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.state = 'in_progress'
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_can_be_enqueued_for_orchestration is
$$Returns true if a worker runs the step and may record its result or failure.

This function is for clients. The engine does not call it, because its state machine already checks this condition. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_can_be_enqueued_for_orchestration
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_can_be_completed_from_orchestration.sql
create or replace function tasker.step_can_be_completed_from_orchestration(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.state = 'enqueued_for_orchestration'
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_can_be_completed_from_orchestration is
$$Returns true if a worker has recorded a step's result and an orchestrator has not processed it yet.

This function is for clients. The engine does not call it, because its state machine already checks this condition. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_can_be_completed_from_orchestration
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/transitions/step_can_be_failed_from_orchestration.sql
create or replace function tasker.step_can_be_failed_from_orchestration(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select s.state = 'enqueued_as_error_for_orchestration'
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_can_be_failed_from_orchestration is
$$Returns true if a worker has recorded a step's failure and an orchestrator has not processed it yet.

This function is for clients. The engine does not call it, because its state machine already checks this condition. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_can_be_failed_from_orchestration
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/calculate_backoff_delay.sql
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
        coalesce(p_attempts::text, 'null'), left(v_base::text, 40), left(v_multiplier::text, 40), v_max
      ),
      hint    = 'Attempts and the maximum are 0 or more, the base delay is above 0, the multiplier 1 or more.';
  end if;

  return tasker.backoff_seconds(p_attempts, v_base, v_multiplier, v_max);
end;
$$;

comment on function tasker.calculate_backoff_delay is
$$Returns the seconds to wait after p_attempts attempts: base delay × multiplier ^ attempts, at most p_max_seconds. Returns 0 if p_attempts is 0.

If an argument is null, the setting backoff_base, backoff_multiplier or max_backoff_seconds applies. The result never overflows, and has no jitter. Raises TK422 for arguments out of range.$$;

grant execute on function tasker.calculate_backoff_delay
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/operators/private/check_transition_metadata.sql
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
      detail  = format('It is of type %s.', jsonb_typeof(p_metadata)),
      hint    = 'Pass an object, {} for no metadata.';
  end if;

  if p_metadata ? 'execution_time_ms' and not coalesce(
    jsonb_typeof(p_metadata -> 'execution_time_ms') = 'number' and (p_metadata ->> 'execution_time_ms') ~ '^[0-9]{1,9}$', false
  ) then
    raise exception using
      errcode = 'TK422',
      message = '"execution_time_ms" of a transition is not a whole number of at most nine digits',
      detail  = format('It is %s.', left((p_metadata -> 'execution_time_ms')::text, 100)),
      hint    = 'Pass a JSON number, or omit it.';
  end if;

  if p_metadata ? 'backoff_seconds' and not coalesce(
    jsonb_typeof(p_metadata -> 'backoff_seconds') = 'number' and (p_metadata ->> 'backoff_seconds')::numeric between 0 and 999999999, false
  ) then
    raise exception using
      errcode = 'TK422',
      message = '"backoff_seconds" of a transition is not a number of seconds from 0 to 999999999',
      detail  = format('It is %s.', left((p_metadata -> 'backoff_seconds')::text, 100)),
      hint    = 'Pass a JSON number, such as 0.25, or omit it.';
  end if;

  foreach v_key in array array['event', 'reason', 'error'] loop
    if p_metadata ? v_key and jsonb_typeof(p_metadata -> v_key) <> 'string' then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a text', v_key),
        detail  = format('It is of type %s.', jsonb_typeof(p_metadata -> v_key)),
        hint    = 'Pass a JSON string, or omit it.';
    end if;
  end loop;

  perform tasker.check_text_size('reason', p_metadata ->> 'reason', 1000);
  perform tasker.check_text_size('error', p_metadata ->> 'error', 65536);

  foreach v_key in array array['worker_uuid', 'correlation_id'] loop
    if p_metadata ? v_key and not coalesce(
      jsonb_typeof(p_metadata -> v_key) = 'string'
        and (p_metadata ->> v_key) ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false
    ) then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a UUID', v_key),
        detail  = format('It is %s.', left((p_metadata -> v_key)::text, 100)),
        hint    = 'The audit attributes the result to it; by default to the processor and the task''s correlation id.';
    end if;
  end loop;

  v_size := octet_length(p_metadata::text);
  if v_size > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('results and metadata of %s bytes are too large', v_size),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large results elsewhere and pass a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('metadata of the transition', p_metadata);
end;
$$;

comment on function tasker.check_transition_metadata is
$$Raises TK422 if the metadata of a transition, or a key in it that has a meaning, is malformed, and TK413 if the
metadata is too large.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/private/check_step_guards.sql
create or replace function tasker.check_step_guards(p_step_uuid uuid, p_event text, p_from_state tasker.step_state)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_refusal text;
begin
  -- The caller has checked that the state machine allows the event. These conditions do not follow from the state alone.
  v_refusal := case
    when p_event = 'Rerun'
      then 'tasker.rerun_step(step, reason) runs it again, with all that depends on it'
    when p_event in ('Enqueue', 'Resume') and exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.await is not null
    )
      then 'it has no handler'
    when p_event in ('Enqueue', 'Suspend') and p_from_state = 'pending' and exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.for_each is not null
    )
      then 'it is a map, whose instances run'
    when p_event = 'Complete' and p_from_state = 'pending'
      then 'it has no result; only a map ends so, when its instances have settled'
    when p_from_state = 'error' and exists (
      select
        from tasker.workflow_steps as s
        join tasker.tasks as t
          on t.task_uuid = s.task_uuid
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.undo_no is null
         and tasker.is_undone(t.undo)
    )
      then 'its task is being undone'
    when p_event = 'Tolerate'
      then 'only a map with allow_failures tolerates the failure of an instance, and a step that waits for a failure does so at once'
    when p_event = 'Suspend' and p_from_state = 'pending' and not tasker.step_dependencies_met(p_step_uuid)
      then 'its dependencies are not met'
    when p_event = 'Enqueue' and not tasker.step_dependencies_met(p_step_uuid)
      then 'its dependencies are not met'
    when p_event = 'CompleteManually' and p_from_state = 'pending' and not tasker.step_dependencies_met(p_step_uuid)
      then 'it has never run and its dependencies are not met'
    when p_event = 'Skip' and p_from_state = 'pending' and not exists (
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
         and greatest(
           s.lease_until,
           tasker.leases_heard_since() + make_interval(secs => coalesce(s.lease_seconds, tasker.setting_integer('lease_seconds')))
         ) <= tasker.clock()
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
      hint    = 'tasker.explain_step(step) shows what it waits for.';
  end if;
end;
$$;

comment on function tasker.check_step_guards is
$$Raises TK409 if a condition beyond the state machine forbids the event of a step. The caller holds the step's lock.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/private/check_task_guards.sql
create or replace function tasker.check_task_guards(p_task tasker.tasks, p_event text, p_to_state tasker.task_state)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_refusal text;
begin
  -- The caller has checked that the state machine allows the transition. These conditions do not follow from the state alone.
  v_refusal := case
    when p_event = 'Rerun'
      then 'tasker.rerun_step(step, reason) opens it again, with the step whose result is wrong'
    when p_to_state in ('complete', 'error', 'cancelled') and tasker.is_undone(p_task.undo)
         and (p_to_state <> 'error' or p_task.state <> 'blocked_by_failures')
      then 'it is being undone, and ends after that'
    when p_to_state = 'complete' and not tasker.task_can_complete(p_task.task_uuid)
      then 'it has steps that are not done'
    when p_to_state = 'steps_in_process' and p_task.active_steps = 0
      then 'none of its steps is in the pipeline'
    when p_to_state = 'waiting_for_retry' and p_task.retrying_steps = 0
      then 'none of its steps waits for a retry'
    when p_to_state = 'blocked_by_failures' and p_task.failed_steps = 0
      then 'none of its steps has failed'
    when p_to_state = 'blocked_by_failures' and p_task.active_steps + p_task.retrying_steps + p_task.suspended_steps > 0
      then 'some of its steps can still move'
  end;

  if v_refusal is not null then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot go from %s to %s: %s', p_task.task_uuid, p_task.state, p_to_state, v_refusal),
      detail  = format(
        'Of %s steps %s are open, %s in the pipeline, %s wait for a retry, %s are suspended, %s have failed.',
        p_task.total_steps, p_task.open_steps, p_task.active_steps, p_task.retrying_steps,
        p_task.suspended_steps, p_task.failed_steps
      ),
      hint    = 'tasker.get_task_execution_context(task) shows what its steps wait for.';
  end if;
end;
$$;

comment on function tasker.check_task_guards is
$$Raises TK409 if a condition beyond the state machine forbids the transition of a task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/notify_steps_ready.sql
create or replace function tasker.notify_steps_ready(p_namespace text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- The transaction takes its number before it queries tasker.sleepers, and queries them in a later snapshot. A client
  -- that falls asleep after that snapshot knows the number and waits for this transaction to end.
  v_xid := pg_current_xact_id();
  v_notify := case coalesce(
      (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
      (select s.value from tasker.settings as s where s.name = 'notify')
    )
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_steps_ready.' || p_namespace
           and z.until > tasker.clock()
      )
    else false
  end;
  -- The payload is constant, because PostgreSQL sends equal notifications of one transaction only once.
  if v_notify then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
end;
$$;

comment on function tasker.notify_steps_ready is
$$Wakes the workers of a namespace, at most once per transaction. The namespace or the setting "notify" decides whether it notifies always, only if a worker sleeps, or never. Call this function in a statement of its own after the transaction's writes.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/notify_cancelled.sql
create or replace function tasker.notify_cancelled(p_namespace text, p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The worker is awake, so notify even if no worker sleeps.
  if coalesce(
       (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
       (select s.value from tasker.settings as s where s.name = 'notify')
     ) = 'off' then
    return;
  end if;
  perform pg_notify('tasker_cancelled', w.worker_uuid::text)
    from (
      select distinct s.worker_uuid
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and s.step_no = any (p_step_nos)
         and s.worker_uuid is not null
    ) as w;
end;
$$;

comment on function tasker.notify_cancelled is
$$Notifies the workers of running steps, on channel tasker_cancelled, that their handlers should stop. The payload is the worker's UUID. The worker then renews its leases, and the answers name the steps whose handlers should stop. If notifications are off for the namespace or by the setting "notify", the worker stops these handlers after its next regular renewal.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/notify_new_tasks.sql
create or replace function tasker.notify_new_tasks(
  p_namespace   text,
  p_notify      text,
  p_state       tasker.task_state,
  p_task_uuids  uuid[],
  p_ready       boolean
)
  returns void
  language plpgsql
as $$
declare
  v_ready  boolean := p_ready;
  v_events boolean := true;
begin
  if p_notify = 'asleep' then
    -- The transaction has had its number since it wrote the tasks, and queries in a later snapshot, as in
    -- notify_steps_ready. While all clients are awake, one probe of the index is enough.
    perform
       from tasker.sleepers as z
      where z.channel = any (array['tasker_steps_ready.' || p_namespace, 'tasker_task_events'])
        and z.until > tasker.clock();
    if not found and current_setting('transaction_isolation') = 'read committed' then
      return;
    end if;
  end if;
  if p_notify = 'off' then
    return;
  elsif p_notify = 'asleep' and current_setting('transaction_isolation') = 'read committed' then
    select
      p_ready and exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_steps_ready.' || p_namespace
           and z.until > tasker.clock()
      ),
      exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_task_events'
           and z.until > tasker.clock()
      )
      into v_ready, v_events;
  end if;
  if v_ready then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
  if v_events then
    perform pg_notify('tasker_task_events', json_build_object(
        'task_uuid', u.task_uuid, 'namespace', p_namespace, 'from_state', null, 'to_state', p_state, 'event', 'Create'
      )::text)
       from unnest(p_task_uuids) as u (task_uuid);
  end if;
end;
$$;

comment on function tasker.notify_new_tasks is
$$Announces new tasks of a namespace. If p_ready is true, wakes the namespace's workers as tasker.notify_steps_ready does. Notifies the listeners of tasker_task_events of each task, with the event Create and the task's state. p_notify is the value of this column of tasker.creation_templates. Call this function in a statement of its own after the transaction's writes.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/send_task_events.sql
create or replace function tasker.send_task_events(p_moves tasker.task_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_default text := (select s.value from tasker.settings as s where s.name = 'notify');
  v_above   boolean := current_setting('transaction_isolation') <> 'read committed';
begin
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
      select n.name, coalesce(n.notify, v_default) as notify
        from tasker.tasks as t
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where t.task_uuid = m.task_uuid
      offset 0
    ) as n
    where n.notify = 'always'
       or n.notify = 'asleep' and (v_above or exists (
         select
           from tasker.sleepers as z
          where z.channel = any (array['tasker_task_events', 'tasker_task_events.' || m.task_uuid])
            and z.until > tasker.clock()
       ));
end;
$$;

comment on function tasker.send_task_events is
$$Sends a notification for each of these transitions whose namespace always notifies, or whose task a sleeping client watches.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/task_events_wanted.sql
create or replace function tasker.task_events_wanted()
  returns setof boolean
  language sql
  stable
begin atomic
  -- Watchers are marked as tasker_task_events or as tasker_task_events.<task>, which sorts before tasker_task_events/.
  select
    c.any_announced
    or current_setting('transaction_isolation') <> 'read committed'
    or exists (
      select
        from tasker.sleepers as z
       where z.channel >= 'tasker_task_events'
         and z.channel < 'tasker_task_events/'
         and z.until > tasker.clock()
    )
    from tasker.settings_now as c
   where c.only_row;
end;

comment on function tasker.task_events_wanted is
$$Returns one row, which says whether a transition of a task may have to be announced. The function returns a set, so that PostgreSQL inlines it into the query. Call it in a statement after the transaction's writes.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/notify_task_events.sql
create or replace function tasker.notify_task_events(p_moves tasker.task_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  if p_moves is null then
    return;
  end if;
  -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
  v_xid := pg_current_xact_id();
  v_notify := (select e.wanted from tasker.task_events_wanted() as e (wanted));
  if v_notify then
    perform tasker.send_task_events(p_moves);
  end if;
end;
$$;

comment on function tasker.notify_task_events is
$$Notifies the listeners on channel tasker_task_events of transitions of tasks. The namespace or the setting "notify" decides whether it notifies always, only while a client watches, or never. Call this function in a statement of its own after the transaction's writes.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/notify_orchestrators.sql
create or replace function tasker.notify_orchestrators()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
  v_xid := pg_current_xact_id();
  v_notify := case (select s.value from tasker.settings as s where s.name = 'notify')
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasker.sleepers as z
         where z.channel = 'pgmq_message_ready.orchestration'
           and z.until > tasker.clock()
      )
    else false
  end;
  -- The payload is constant, because PostgreSQL sends equal notifications of one transaction only once.
  if v_notify then
    perform pg_notify('pgmq_message_ready.orchestration', '');
  end if;
end;
$$;

comment on function tasker.notify_orchestrators is
$$Wakes orchestrators, at most once per transaction, on the channel that announces messages for them. The setting "notify" decides whether it notifies always, only if an orchestrator sleeps, or never.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/computed_task_priority.sql
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

comment on function tasker.computed_task_priority is
$$Returns the number by which waiting tasks are ordered: priority + namespace's modifier + age factor × hours waited + retry factor × retries + deadline factor × share of the time between request and deadline that has passed.

The number never falls while a task waits. A null factor means the value of the setting. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/dispatch_rank.sql
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
  -- Age adds the same amount to all tasks per hour. So the order of two tasks does not depend on the time of the
  -- comparison, and the age can be left out.
  select (
    tasker.computed_task_priority(
      p_priority, p_modifier, p_waiting_since, p_retries, p_requested_at, p_deadline
    )
    - tasker.setting_numeric('priority_age_factor') * extract(epoch from tasker.clock()) / 3600
  )::double precision;
end;

comment on function tasker.dispatch_rank is
$$Returns the computed priority with age counted from one fixed instant for all tasks, so that it can be indexed.

The rank is exact when it is computed. An approaching deadline, another modifier or another factor change the rank. tasker.rank_waiting_tasks updates the rows.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/pattern_error.sql
create or replace function tasker.pattern_error(p_pattern text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token    text;
  v_sizes    integer[] := '{0}';     -- sizes of the open groups, the outermost first
  v_anchored boolean[] := '{false}'; -- whether the open groups contain an anchor
  v_depth    integer   := 1;
  v_anchors  integer   := 0;
  v_size     integer;                -- the size of the part that a quantifier would repeat; null if there is no such part
  v_is_fixed boolean;                -- whether this part is or contains an anchor
  v_more     integer;
begin
  if length(p_pattern) > 200 then
    return 'It has a regular expression of more than 200 characters.';
  elsif p_pattern ~ E'\\\\[1-9c]' then
    return 'It has a regular expression with a back reference or a control character.';
  end if;

  for v_token in
    select m.token[1]
      from regexp_matches(
        p_pattern, E'(\\\\.|\\[\\^?(?:[^][\\\\]|\\\\.|\\[:[a-z]+:\\])+\\]|\\((?:\\?:)?|\\{[0-9]+(?:,[0-9]*)?\\}|.)', 'g'
      ) as m (token)
  loop
    if v_token ~ E'^([*+?]|\\{.+)$' then
      -- At the beginning of a group, a quantifier character would begin a group of another kind: options, a comment, a
      -- lookahead or a lookbehind.
      if v_size is null then
        return 'It has a regular expression with a group that begins with a quantifier; groups are (…) and (?:…).';
      elsif v_is_fixed then
        return 'It has a regular expression that repeats an anchor, such as ^ or $.';
      end if;
      -- A bound copies the part that it repeats. A part that may be absent costs more than its length.
      v_more := case
        when left(v_token, 1) <> '{' then 2
        when v_token ~ '[0-9]{4}' then 1000
        else v_size * greatest(split_part(trim(v_token, '{}'), ',', 1), '0' || split_part(trim(v_token, '{}'), ',', 2))::integer
      end;
    elsif v_token in ('(', '(?:') then
      v_depth := v_depth + 1;
      v_sizes[v_depth] := 0;
      v_anchored[v_depth] := false;
      v_size := null;
      continue;
    elsif v_token = ')' and v_depth = 1 then
      return 'It has a regular expression with a bracket too much.';
    elsif v_token = ')' then
      v_size := v_sizes[v_depth];
      v_is_fixed := v_anchored[v_depth];
      v_depth := v_depth - 1;
      v_anchored[v_depth] := v_anchored[v_depth] or v_is_fixed;
      v_more := v_size + 1;
      v_size := 0;
    else
      v_is_fixed := v_token in ('^', '$') or v_token ~ E'^\\\\[AZmMyY]';
      v_anchors := v_anchors + v_is_fixed::integer;
      v_anchored[v_depth] := v_anchored[v_depth] or v_is_fixed;
      v_size := 0;
      v_more := case
        when v_token = '[' then 1000
        -- If case is ignored, each letter of a range counts as a range.
        when v_token ~ '^.+-' and v_token ~ E'\\\\[xuU0]' then 1000
        when v_token ~ '^.+-' then 1 + (length(v_token) - length(replace(v_token, '-', ''))) * (
          select max(ascii(u.letter)) / 200 from string_to_table(v_token, null) as u (letter)
        )
        else 1
      end;
    end if;
    v_size := v_size + v_more;
    v_sizes[v_depth] := v_sizes[v_depth] + v_more;
    if v_sizes[v_depth] > 250 or v_depth > 10 or v_anchors > 8 then
      return 'It has a regular expression that is too costly: its repetitions, spelled out, may have 250 characters, 10 levels of groups and 8 anchors.';
    end if;
    if v_token = '|' then
      v_size := null;
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.pattern_error is
$$Returns the reason why PostgreSQL should not compile a caller's regular expression, or null if there is none. The time to compile depends on the pattern: bounds copy the part that they repeat, anchors within repetitions are combined, and a letter becomes a range if case is ignored. A lookahead, a lookbehind or a back reference makes matching slow. All other patterns compile in milliseconds and match in one pass through the text.

The function knows a part of the language of regular expressions and refuses all other constructs: groups of other kinds, embedded options, collating elements, a bracket that begins with "]".$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/regex_error.sql
create or replace function tasker.regex_error(p_path text)
  returns text
  language plpgsql
  immutable
  strict
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path     text;
  v_patterns text[];
begin
  if p_path !~* E'like_regex|\\\\' then
    return null;
  end if;
  -- Remove comments, and write a blank after each text in quotes.
  v_path := regexp_replace(p_path, E'("(?:[^"\\\\]|\\\\.)*")|/\\*(?:[^*]|\\*+[^*/])*\\*+/', E'\\1 ', 'g');
  if regexp_replace(v_path, E'"(?:[^"\\\\]|\\\\.)*"', '', 'g') ~ E'\\\\' then
    return 'It has a backslash outside of quotes.'; -- it could spell an operator
  end if;
  v_patterns := array(
    select (m.part[2]::jsonpath::text)::jsonb #>> '{}'
      from regexp_matches(v_path, E'([^"]*)("(?:[^"\\\\]|\\\\.)*")', 'g') as m (part)
     where m.part[1] ~* E'like_regex\\s*$'
  );
  if cardinality(v_patterns) > 2 then
    return 'It has more than 2 regular expressions.';
  end if;
  return coalesce(tasker.pattern_error(v_patterns[1]), tasker.pattern_error(v_patterns[2]));
end;
$$;

comment on function tasker.regex_error is
$$Returns the reason why PostgreSQL should not compile the regular expressions of a caller's jsonpath, or null if there is none. All paths that callers write are checked by this rule. A cast to jsonpath compiles the regular expressions, so the check comes before the cast. Paths that were stored before this rule existed are checked when they are used.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/stored_path.sql
create or replace function tasker.stored_path(p_path text)
  returns jsonpath
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select case when tasker.regex_error(p_path) is null then p_path::jsonpath else '$ ? (1 == 2)'::jsonpath end;
end;

comment on function tasker.stored_path is
$$Converts the text of a stored path to jsonpath. A path whose regular expressions are refused (tasker.regex_error) becomes a path that leads to no value. The check is made when the path is used, because the path may have been stored before this rule existed.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/condition_holds.sql
create or replace function tasker.condition_holds(p_condition jsonpath, p_results jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Use match, not exists, because a predicate has a truth value. With "silent", the predicate is false if the results
  -- do not have the expected structure.
  select p_condition is null
      or coalesce(
        case
          when p_condition::text like '%like!_regex%' escape '!' and tasker.regex_error(p_condition::text) is not null then false
          when jsonb_typeof(jsonb_path_query_first(p_results, p_condition, '{}', true)) = 'boolean'
          then jsonb_path_query_first(p_results, p_condition, '{}', true)::boolean
        end,
        false
      );
end;

comment on function tasker.condition_holds is
$$Returns true if an edge's condition holds for its parent's results. A null condition always holds. A predicate does not hold if the results do not have the structure that it expects, or if it has a regular expression that is too costly.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_lane.sql
create or replace function tasker.step_lane(p_state tasker.step_state, p_priority integer)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  -- Cast each branch, because a cast of the whole expression would prevent inlining.
  select case
    when p_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration') then 'results'::tasker.queue_lane
    when p_state = 'in_progress' then 'running'::tasker.queue_lane
    when p_priority > 0 then 'high'::tasker.queue_lane
    when p_priority < 0 then 'low'::tasker.queue_lane
    else 'normal'::tasker.queue_lane
  end;
end;

comment on function tasker.step_lane is
$$Returns the lane of the queue for a step in the pipeline.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/step_queue_name.sql
create or replace function tasker.step_queue_name(p_namespace text, p_lane tasker.queue_lane)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select 'worker_' || p_namespace || '_queue' || case p_lane when 'high' then '_high' when 'low' then '_low' else '' end;
end;

comment on function tasker.step_queue_name is
$$Returns the pgmq queue in which the steps of a namespace's lane are announced, if the namespace's transport is pgmq.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/announce_steps.sql
create or replace function tasker.announce_steps(
  p_namespace   text,
  p_task_uuids  uuid[],
  p_step_nos    integer[]  default null
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
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
      case when q.lane = 'limited' then q.limit_lane else q.lane end,
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
      select q.lane, q.limit_lane, q.task_uuid, q.step_no
        from tasker.step_queue as q
       where q.task_uuid = u.task_uuid
         and q.step_no = coalesce(u.step_no, q.step_no)
         and q.lane in ('high', 'normal', 'low', 'limited')
      offset 0
    ) as q
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
      offset 0
    ) as t
    group by 1
    order by 1
  loop
    perform tasker.announce_messages(tasker.step_queue_name(p_namespace, v_lane), v_messages);
  end loop;
end;
$$;

comment on function tasker.announce_steps is
$$Wakes the workers of a namespace for steps that were just enqueued: p_step_nos has a step number for each task, or is null for all steps that the tasks have in the queue. If the namespace's transport is pgmq, also sends a message for each step (tasker.announce_messages), with task_uuid, step_uuid and correlation_id.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/private/announce_queue_rows.sql
create or replace function tasker.announce_queue_rows(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
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

comment on function tasker.announce_queue_rows is
$$Announces steps that were just enqueued to the namespaces of their queue rows. The arguments have the task and the number of each step.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/namespace_of_task.sql
create or replace function tasker.namespace_of_task(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
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

comment on function tasker.namespace_of_task is
$$Returns the name of the namespace that a task belongs to.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/advance_later.sql
create or replace function tasker.advance_later(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.waiting_tasks as w
   using tasker.tasks as t
   where w.task_uuid = p_task_uuid
     and t.task_uuid = p_task_uuid
     and t.state <> 'pending';

  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select t.task_uuid, 'advance_task', tasker.clock(), tasker.namespace_of_task(t.task_uuid)
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     and not t.complete
     and not exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task_uuid)
  on conflict do nothing;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.advance_later is
$$Writes a note that an open task has to be advanced, so that no direct call can leave the task without progress. A claim or an orchestrator processes the note. A task whose start is deferred keeps waiting for an orchestrator.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/private/announce_result.sql
create or replace function tasker.announce_result(p_move tasker.step_moves)
  returns void
  language plpgsql
as $$
begin
  -- The queue row says that a result waits to be processed. The message only announces the result.
  if p_move.to_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
     and tasker.queue_exists('orchestration_step_results') then
    perform tasker.announce_messages('orchestration_step_results', array[
      jsonb_build_object(
        'task_uuid', p_move.task_uuid,
        'step_uuid', tasker.step_uuid(p_move.task_uuid, p_move.step_no),
        'correlation_id', (select t.correlation_id from tasker.tasks as t where t.task_uuid = p_move.task_uuid)
      )
    ]);
  end if;
end;
$$;

comment on function tasker.announce_result is
$$Sends a message to the queue orchestration_step_results, if the queue exists and the move recorded a result. The message announces the result to orchestrators.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/transition_step_state_atomic.sql
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
  set lock_timeout = '5s'
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
  v_task  tasker.task_facts;
  v_old   tasker.workflow_steps;
  v_move  tasker.step_moves;
begin
  perform tasker.check_bound(p_step_uuid);
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.step_event(v_from, v_to, p_metadata ->> 'event');
  if p_metadata ? 'results' and v_to <> 'enqueued_for_orchestration' and v_event <> 'CompleteManually' then
    raise exception using
      errcode = 'TK422',
      message = format('a step cannot get results when it goes from %s to %s', v_from, v_to),
      hint    = 'A worker records them by in_progress -> enqueued_for_orchestration, an operator by -> complete.';
  end if;

  -- Lock the task before the step, as all functions do.
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
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
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') or (v_task.state = 'pending' and v_to = 'enqueued') then
    raise exception using
      errcode = 'TK409',
      message = format('step %s cannot leave %s: its task is %s', p_step_uuid, v_from, v_task.state),
      hint    = 'Start the task, or reset it if it has failed.';
  end if;
  perform tasker.check_step_guards(p_step_uuid, v_event, v_from);

  if v_from = 'in_progress' and v_old.worker_uuid is distinct from p_processor_uuid then
    perform tasker.notify_cancelled(v_task.namespace, v_task.task_uuid, array[v_old.step_no]);
  end if;
  v_move := tasker.direct_move(v_old, v_event, v_to, p_processor_uuid, p_metadata, tasker.actor_name(null));
  perform tasker.apply_held_move(v_move, v_task);
  perform tasker.announce_result(v_move);
  perform tasker.advance_later(v_task.task_uuid);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.transition_step_state_atomic is
$$Moves a step from p_from_state to p_to_state and returns true (compare and swap). If the step is not in p_from_state, changes nothing and returns false.

Writes the same rows as the engine does for such a move: the log, the audit, the counters of the task and of the step's children, the queue row and the timer. A claim or an orchestrator then evaluates the task. If the call records a result, process_step_results processes it later, and a message to the queue orchestration_step_results announces it if the queue exists. p_processor_uuid is the worker or another actor. p_metadata may contain the keys results, error, reason, execution_time_ms and backoff_seconds. It may contain the key "event" if several events lead from p_from_state to p_to_state. The log keeps other keys.

Locks the task, then the step. Raises TK404 if there is no such step, TK409 if the state machine or a guard forbids the transition or the task has ended, TK413 if results and metadata are too large, TK422 if an argument is malformed, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.transition_step_state_atomic
  to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/move/private/schedule_task.sql
create or replace function tasker.schedule_task(p_task_uuid uuid, p_event text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_event = 'Start' then
    delete from tasker.timers as m
     where m.task_uuid = p_task_uuid
       and m.kind = 'start_task';
  elsif p_event in ('Reset', 'Rerun') then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select
      t.task_uuid,
      'task_deadline',
      t.deadline,
      tasker.namespace_of_task(p_task_uuid)
    from tasker.tasks as t
    where t.task_uuid = p_task_uuid
      and t.deadline > tasker.clock();
  end if;

  perform tasker.advance_later(p_task_uuid);
end;
$$;

comment on function tasker.schedule_task is
$$Updates a task's timers and its waiting row for its new state. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_task_move.sql
create or replace function tasker.write_task_move(
  p_task            tasker.task_facts,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
as $$
declare
  v_now timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
begin
  insert into tasker.task_log (
    task_uuid, sort_key, path, processor_uuid, actor, login, role, reason, metadata, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + 1, tasker.task_path(p_task.task_uuid, p_task.state, p_event, p_to_state),
    p_processor_uuid, p_actor, session_user, tasker.set_role(), p_metadata ->> 'reason',
    nullif(p_metadata - '{event,reason}'::text[], '{}'), v_now
  );
  perform tasker.settle_task(
    p_task, p_task.transition_count + 1, p_event, p_to_state,
    (select case when s.requires_ownership then p_processor_uuid end from tasker.task_states as s where s.state = p_to_state),
    v_now
  );
  perform tasker.schedule_task(p_task.task_uuid, p_event);
  if p_task.keyed and p_event in ('Reset', 'Rerun') then
    perform tasker.task_reopened(p_task.task_uuid);
  end if;
end;
$$;

comment on function tasker.write_task_move is
$$Writes one transition of a task whose steps have been moved: its log, its row with the counters of p_task, its timers. If the task is still open, an orchestrator evaluates it. The caller holds the task's lock, and has checked that the move is allowed.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/move_task.sql
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
as $$
declare
  v_reason text := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
  v_sweep  text := case
    when p_to_state in ('cancelled', 'resolved_manually') then 'cancel'
    -- If a task fails, its steps in the pipeline fail with it. A completed task has no steps in the pipeline.
    when p_to_state in ('error', 'complete') then 'fail'
    when p_event = 'Reset' then 'reset'
  end;
  v_task   tasker.task_facts := tasker.lock_task_facts(p_task.task_uuid);
begin
  if p_task.erased_at is not null then
    perform tasker.raise_erased(p_task.task_uuid);
  end if;
  -- A task that has something to undo ends when its undo is done.
  if v_task.undo is not null and p_event in ('Cancel', 'GiveUp', 'Timeout', 'EnqueueFailed') then
    if tasker.task_ending(p_task, v_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor) then
      return;
    end if;
  end if;

  if v_sweep is not null then
    -- The log row of the task has the reason. The log rows of its steps do not repeat it.
    v_task := tasker.sweep_steps(v_task, v_sweep, case when v_sweep <> 'reset' then v_reason end, p_actor);
  end if;

  perform tasker.write_task_move(v_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
end;
$$;

comment on function tasker.move_task is
$$Moves a task to a state with all consequences: cancels, fails or resets its steps, writes its log and row, and sets its timers. If the task is still open, an orchestrator evaluates it. If a task that has something to undo would be cancelled or fail, its undo begins instead (tasker.begin_undo). During the undo, the event GiveUp ends the task, and other events change nothing. The caller holds the task's lock, and has checked that the move is allowed.$$;
-- <<<

-- >>> db/schema/functions/compat/transitions/transition_task_state_atomic.sql
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
  set lock_timeout = '5s'
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
  perform tasker.check_bound(p_task_uuid);
  p_metadata := coalesce(p_metadata, '{}');
  perform tasker.check_transition_metadata(p_metadata);
  v_event := tasker.task_event(v_from, v_to, p_metadata ->> 'event');

  if v_event = 'Reset' then
    perform tasker.lock_identity(p_task_uuid);
  end if;
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
  -- A task has a processor only in an active state. Any processor may move a task that has none.
  if v_task.processor_uuid is distinct from p_processor_uuid
     and v_task.processor_uuid is not null
     and tasker.setting_boolean('enforce_processor_ownership') then
    return false;
  end if;
  perform tasker.check_task_guards(v_task, v_event, v_to);
  if v_event = 'Reset' then
    perform tasker.check_identity_regained(v_task);
  end if;

  perform tasker.move_task(v_task, v_event, v_to, p_processor_uuid, p_metadata, tasker.actor_name(null));
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.transition_task_state_atomic is
$$Moves a task from p_from_state to p_to_state and returns true (compare and swap). If the task is not in p_from_state, changes nothing and returns false.

Writes the same rows as the engine does for such a move: the log, the steps (which are cancelled, failed or reset with the task), the queue and the timers. If the task is still open, an orchestrator then evaluates the task. In an active state, p_processor_uuid becomes the owner of the task. If the setting enforce_processor_ownership is true, returns false for any processor except the owner. p_metadata may contain the key "reason". It may contain the key "event" if several events lead from p_from_state to p_to_state. The log keeps other keys.

Locks the task, then the task's steps. For a reset, locks the task's identity first. Raises TK404 if there is no such task, TK409 if the state machine or a guard forbids the transition, or if a reset would open a task whose identity another open task has, TK413 if the metadata is too large, TK422 if an argument is malformed, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.transition_task_state_atomic
  to tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000700', 'functions/compat/readiness/calculate_backoff_delay 8c07401a1a33c582
functions/compat/transitions/private/announce_result cd0996422e3e634d
functions/compat/transitions/private/check_step_guards 59aa47b82e1b1342
functions/compat/transitions/private/check_task_guards ff2ef29aa2a741b1
functions/compat/transitions/private/guarded_step 2ac28310ab9fde2c
functions/compat/transitions/step_can_be_completed_from_orchestration 033d72c3c64a31e3
functions/compat/transitions/step_can_be_enqueued_for_orchestration c6d9546f972e081b
functions/compat/transitions/step_can_be_failed_from_orchestration 5fba900bf3f836a2
functions/compat/transitions/step_can_be_retried d7e85d77fa6df769
functions/compat/transitions/step_dependencies_met 992217ba31409f93
functions/compat/transitions/step_has_attempts_left 0df0c46d98b5ce4f
functions/compat/transitions/step_not_in_progress 183d276004bb970d
functions/compat/transitions/task_can_complete 74d371a6716aa980
functions/compat/transitions/transition_step_state_atomic 2e55cd6894e85f8c
functions/compat/transitions/transition_task_state_atomic 05d67a90db888700
functions/kernel/graph/private/condition_holds 396a1926d8e4142b
functions/kernel/graph/private/join_holds c5b88e31c2bd1cf6
functions/kernel/graph/private/pattern_error e9e512f92e0d7bf1
functions/kernel/graph/private/regex_error d3d24a2c9f0e79a8
functions/kernel/graph/private/stored_path 707da1eefe65528e
functions/kernel/lock/private/raise_step_not_found 916dd16df585039f
functions/kernel/lock/private/raise_task_locked 086970ddf1c83f0a
functions/kernel/lock/private/raise_task_not_found 805c3b0d8245c7a6
functions/kernel/move/private/advance_later b9c1b447a53460da
functions/kernel/move/private/move_task 0552a07b53ccc4a7
functions/kernel/move/private/schedule_task 62c7ecf935aef86d
functions/kernel/move/private/write_task_move fb8f9fba5753635b
functions/kernel/notify/private/announce_queue_rows 63c3a129f0b64cb4
functions/kernel/notify/private/announce_steps 81a7fecf0b20afe6
functions/kernel/notify/private/notify_cancelled 2c3c66fbb0e58471
functions/kernel/notify/private/notify_new_tasks 2b12c37e867b5f48
functions/kernel/notify/private/notify_orchestrators 2c6ecfe4c24694e3
functions/kernel/notify/private/notify_steps_ready f0243dc7f3008b76
functions/kernel/notify/private/notify_task_events 3a856b8be0cc0418
functions/kernel/notify/private/send_task_events b0ce4c533c1af662
functions/kernel/notify/private/step_queue_name dcf0180a322cc9de
functions/kernel/notify/private/task_events_wanted 186b7b4aa822100e
functions/kernel/state/private/computed_task_priority 0487075fd3df2ff3
functions/kernel/state/private/dispatch_rank 9afbd710dd371d33
functions/kernel/state/private/step_lane bb1d6536c1430976
functions/kernel/template/private/namespace_of_task 7ccf2df6011481d2
functions/operate/inspect/get_current_step_state 5a4f1e5480ba598a
functions/operate/inspect/get_current_task_state 8b26b88aaa1fc31e
functions/operate/operators/private/check_transition_metadata 6de95680a75f2955
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000700';

drop function tasker.transition_task_state_atomic;
drop function tasker.move_task;
drop function tasker.write_task_move;
drop function tasker.schedule_task;
drop function tasker.transition_step_state_atomic;
drop function tasker.announce_result;
drop function tasker.advance_later;
drop function tasker.namespace_of_task;
drop function tasker.announce_queue_rows;
drop function tasker.announce_steps;
drop function tasker.step_queue_name;
drop function tasker.step_lane;
drop function tasker.condition_holds;
drop function tasker.stored_path;
drop function tasker.regex_error;
drop function tasker.pattern_error;
drop function tasker.dispatch_rank;
drop function tasker.computed_task_priority;
drop function tasker.notify_orchestrators;
drop function tasker.notify_task_events;
drop function tasker.task_events_wanted;
drop function tasker.send_task_events;
drop function tasker.notify_new_tasks;
drop function tasker.notify_cancelled;
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
drop function tasker.guarded_step;
drop function tasker.task_can_complete;
drop function tasker.join_holds;
drop function tasker.get_current_step_state;
drop function tasker.get_current_task_state;
drop function tasker.raise_step_not_found;
drop function tasker.raise_task_locked;
drop function tasker.raise_task_not_found;

reset role;
