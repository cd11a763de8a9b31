-- tasklib_operation: names registered and limited, tasks looked at, cancelled, retried, purged
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tasklib/rows/task_details.sql
create or replace view tasklib.task_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as name,
  'pending'::tasklib.task_state as state,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  ''::text as submitted_by,
  '-infinity'::timestamptz as scheduled_at,
  null::timestamptz as started_at,
  null::timestamptz as completed_at,
  null::timestamptz as locked_until,
  null::text as worker_id,
  0::integer as claim_no,
  0::integer as retry_count,
  0::integer as max_retries,
  null::timestamptz as next_retry_at,
  null::integer as timeout_seconds,
  null::timestamptz as expires_at,
  null::text as dedup_key,
  null::text as limit_key,
  '{}'::jsonb as kwargs,
  null::jsonb as tags,
  null::jsonb as result,
  null::text as error,
  null::timestamptz as erased_at
where false;

comment on view tasklib.task_details is
  'Row type: a task with all its data, except columns that only claims need.';
comment on column tasklib.task_details.erased_at is
  'The time when the data of the task was erased. Null if it was not erased.';
-- <<<

-- >>> db/schema/tasklib/rows/task_stats.sql
create or replace view tasklib.task_stats as
select
  ''::text as name,
  false::boolean as paused,
  0::bigint as ready,
  0::bigint as waiting,
  0::bigint as running,
  0::bigint as failed,
  null::timestamptz as oldest_ready_at,
  null::timestamptz as breaker_open_until,
  0::bigint as submitted,
  0::bigint as completed,
  0::bigint as retried,
  null::double precision as mean_run_seconds,
  null::double precision as mean_wait_seconds
where false;

comment on view tasklib.task_stats is
  'Row type: the statistics of a name''s tasks. The columns submitted, completed and retried and the mean durations cover only tasks that were submitted in the requested time.';
-- <<<

-- >>> db/schema/tasklib/functions/private/option_number.sql
create or replace function tasklib.option_number(
  p_options  jsonb,
  p_option   text,
  p_minimum  numeric,
  p_maximum  numeric,
  p_whole    boolean,
  p_before   numeric
)
  returns numeric
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_option jsonb := p_options -> p_option;
  v_number numeric;
begin
  if v_option is null then
    return p_before;
  end if;
  if jsonb_typeof(v_option) = 'null' then
    return null;
  end if;
  if jsonb_typeof(v_option) = 'number' then
    v_number := v_option::numeric;
    if v_number between p_minimum and p_maximum and (not p_whole or v_number = trunc(v_number)) then
      return v_number;
    end if;
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('option "%s" cannot be %s', p_option, left(v_option::text, 100)),
    hint    = format('It must be a %snumber from %s to %s, or null.', case when p_whole then 'whole ' else '' end, p_minimum, p_maximum);
end;
$$;

comment on function tasklib.option_number is
$$Returns the value of a numeric option. If p_options does not contain the option, returns p_before. Raises TK422 if the value is not a number or is out of bounds.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/log_action.sql
create or replace function tasklib.log_action(
  p_action  text,
  p_id      uuid,
  p_name    text,
  p_detail  jsonb
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasklib.task_actions (task_id, name, action, actor, acted_at, detail)
  values (p_id, p_name, p_action, tasklib.caller_name(), tasklib.clock(), coalesce(jsonb_strip_nulls(p_detail), '{}'));
end;
$$;

comment on function tasklib.log_action is
$$Records an operator's action on a task or a name in tasklib.task_actions.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/apply_options.sql
create or replace function tasklib.apply_options(
  p_task     tasklib.registered_tasks,
  p_options  jsonb
)
  returns tasklib.registered_tasks
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_options ? 'description' then
    p_task.description := p_options ->> 'description';
  end if;
  p_task.max_retries := tasklib.option_number(p_options, 'max_retries', 0, 10000, true, p_task.max_retries);
  p_task.timeout_seconds := tasklib.option_number(p_options, 'timeout_seconds', 1, 31536000, true, p_task.timeout_seconds);
  p_task.base_retry_delay_seconds := tasklib.option_number(
    p_options, 'base_retry_delay_seconds', 0, 86400, false, p_task.base_retry_delay_seconds::numeric);
  p_task.retry_backoff_multiplier := tasklib.option_number(
    p_options, 'retry_backoff_multiplier', 1, 100, false, p_task.retry_backoff_multiplier::numeric);
  p_task.completed_ttl_seconds := tasklib.option_number(
    p_options, 'completed_ttl_seconds', 0, 3153600000, true, p_task.completed_ttl_seconds);
  p_task.failed_ttl_seconds := tasklib.option_number(
    p_options, 'failed_ttl_seconds', 0, 3153600000, true, p_task.failed_ttl_seconds);
  p_task.concurrency_limit := tasklib.option_number(
    p_options, 'concurrency_limit', 1, 1000000, true, p_task.concurrency_limit);
  p_task.rate_limit := tasklib.option_number(p_options, 'rate_limit', 1, 1000000, true, p_task.rate_limit);
  p_task.rate_period_seconds := tasklib.option_number(
    p_options, 'rate_period_seconds', 0.001, 86400, false, p_task.rate_period_seconds::numeric);
  p_task.breaker_failures := tasklib.option_number(
    p_options, 'breaker_failures', 1, 1000000, true, p_task.breaker_failures);
  p_task.breaker_seconds := tasklib.option_number(
    p_options, 'breaker_seconds', 0.001, 86400, false, p_task.breaker_seconds::numeric);
  p_task.key_concurrency_limit := tasklib.option_number(
    p_options, 'key_concurrency_limit', 1, 1000000, true, p_task.key_concurrency_limit);
  p_task.key_rate_limit := tasklib.option_number(p_options, 'key_rate_limit', 1, 1000000, true, p_task.key_rate_limit);
  p_task.key_rate_period_seconds := tasklib.option_number(
    p_options, 'key_rate_period_seconds', 0.001, 86400, false, p_task.key_rate_period_seconds::numeric);

  if (p_task.rate_limit is null) <> (p_task.rate_period_seconds is null)
     or (p_task.key_rate_limit is null) <> (p_task.key_rate_period_seconds is null)
     or (p_task.breaker_failures is null) <> (p_task.breaker_seconds is null) then
    raise exception using
      errcode = 'TK422',
      message = format('a limit of task "%s" is incomplete', p_task.name),
      hint    = 'Set rate_limit together with rate_period_seconds, key_rate_limit with key_rate_period_seconds, and breaker_failures with breaker_seconds.';
  end if;
  return p_task;
end;
$$;

comment on function tasklib.apply_options is
$$Returns the row p_task with the options p_options set. Does not write the row. Raises TK422 for an invalid option.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_options.sql
create or replace function tasklib.check_options(p_name text, p_options jsonb)
  returns void
  language plpgsql
  immutable
as $$
declare
  v_known  constant text[] := array[
    'description', 'max_retries', 'timeout_seconds', 'base_retry_delay_seconds', 'retry_backoff_multiplier',
    'completed_ttl_seconds', 'failed_ttl_seconds', 'concurrency_limit', 'rate_limit', 'rate_period_seconds',
    'breaker_failures', 'breaker_seconds', 'key_concurrency_limit', 'key_rate_limit', 'key_rate_period_seconds'
  ];
  v_option text;
begin
  if p_name ~ '^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a valid task name', left(p_name, 200)),
      hint    = 'A name is 1 to 100 letters, digits and _ . : / -, and begins with a letter or _.';
  end if;
  if jsonb_typeof(p_options) = 'object' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the options of task "%s" are not a JSON object', left(p_name, 100)),
      hint    = 'Pass an object of options, {} for the defaults.';
  end if;
  select o.option
    into v_option
    from jsonb_object_keys(p_options) as o (option)
   where o.option <> all (v_known)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('task "%s" has no option "%s"', p_name, left(v_option, 100)),
      hint    = format('The options are %s.', array_to_string(v_known, ', '));
  end if;
  if jsonb_typeof(p_options -> 'description') not in ('string', 'null') then
    raise exception using
      errcode = 'TK422',
      message = format('the description of task "%s" is not a text', left(p_name, 100)),
      hint    = 'Pass a JSON string, or omit it.';
  end if;
end;
$$;

comment on function tasklib.check_options is
$$Raises TK422 if the name of a task is not valid, or if its options have an unknown name or a description that is not a text.$$;
-- <<<

-- >>> db/schema/tasklib/functions/register_task.sql
create or replace function tasklib.register_task(
  p_name     text,
  p_options  jsonb  default '{}',
  p_actor    text   default null,
  p_reason   text   default null
)
  returns setof tasklib.registered_tasks
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
  v_before tasklib.registered_tasks;
  v_after  tasklib.registered_tasks;
begin
  p_options := coalesce(p_options, '{}');
  perform tasker.administer(p_actor, p_reason);
  perform tasklib.check_options(p_name, p_options);
  insert into tasklib.registered_tasks (name, created_at, updated_at)
  values (p_name, tasklib.clock(), tasklib.clock())
  on conflict do nothing;
  -- Many workers register the same options when they start. So first read the row without a lock: a call that changes nothing
  -- does not wait.
  select r.* into strict v_before from tasklib.registered_tasks as r where r.name = p_name;
  v_after := tasklib.apply_options(v_before, p_options);
  if v_after is distinct from v_before then
    -- A caller that may not run a name may not change its limits either.
    if not pg_has_role(tasklib.caller_name(), 'tasklib_operator', 'member') then
      perform tasklib.check_may_run(array[p_name]);
    end if;
    select r.* into strict v_before from tasklib.registered_tasks as r where r.name = p_name for update;
    v_after := tasklib.apply_options(v_before, p_options);
    update tasklib.registered_tasks as r
       set updated_at               = tasklib.clock(),
           description              = v_after.description,
           max_retries              = v_after.max_retries,
           timeout_seconds          = v_after.timeout_seconds,
           base_retry_delay_seconds = v_after.base_retry_delay_seconds,
           retry_backoff_multiplier = v_after.retry_backoff_multiplier,
           completed_ttl_seconds    = v_after.completed_ttl_seconds,
           failed_ttl_seconds       = v_after.failed_ttl_seconds,
           concurrency_limit        = v_after.concurrency_limit,
           rate_limit               = v_after.rate_limit,
           rate_period_seconds      = v_after.rate_period_seconds,
           breaker_failures         = v_after.breaker_failures,
           breaker_seconds          = v_after.breaker_seconds,
           key_concurrency_limit    = v_after.key_concurrency_limit,
           key_rate_limit           = v_after.key_rate_limit,
           key_rate_period_seconds  = v_after.key_rate_period_seconds
     where r.name = p_name;
    perform tasklib.log_action('register', null, p_name, p_options);
  end if;

  insert into tasklib.task_limits (name, tokens, refilled_at)
  select r.name, coalesce(r.rate_limit, 0), tasklib.clock()
    from tasklib.registered_tasks as r
   where r.name = p_name
     and r.limited
  on conflict do nothing;
  return query select r.* from tasklib.registered_tasks as r where r.name = p_name;
end;
$$;

comment on function tasklib.register_task is
$$Registers a name if it is new, sets the given options, and returns the name with all its options. An option that p_options does not contain stays as it is. The value null resets an option: then the setting applies, or there is no limit.

The options are description, max_retries, timeout_seconds, base_retry_delay_seconds, retry_backoff_multiplier, completed_ttl_seconds, failed_ttl_seconds (0 means for ever), concurrency_limit (tasks that run at once), key_concurrency_limit (tasks of one limit key that run at once), rate_limit and rate_period_seconds (the number of claims in a period; all of them may come at once, and the rate allows new claims evenly over time), key_rate_limit and key_rate_period_seconds (the same for each limit key), and breaker_failures and breaker_seconds (after breaker_failures consecutive failures no task is claimed for breaker_seconds, then one task at a time until a run succeeds). Idempotent. Locks the name's row if an option changes. Raises TK403 if the caller may not run the name and is not an operator, TK422 for an invalid name or option.$$;

grant execute on function tasklib.register_task to tasklib_worker, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/get_registered_tasks.sql
create or replace function tasklib.get_registered_tasks()
  returns setof tasklib.registered_tasks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select r.*
    from tasklib.registered_tasks as r
   order by r.name;
end;
$$;

comment on function tasklib.get_registered_tasks is
$$Returns the registered names with their options, in the order of the names.$$;

grant execute on function tasklib.get_registered_tasks
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/restrict_task.sql
create or replace function tasklib.restrict_task(
  p_name    text,
  p_roles   text[],
  p_actor   text    default null,
  p_reason  text    default null
)
  returns setof tasklib.registered_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text;
begin
  perform tasker.administer(p_actor, p_reason);
  if p_roles is null then
    raise exception using
      errcode = 'TK422',
      message = 'the roles are null',
      hint    = 'An empty array lets every worker run the tasks again.';
  end if;
  select u.role
    into v_role
    from unnest(p_roles) as u (role)
   where to_regrole(quote_ident(u.role)) is null
   limit 1;
  if found then
    raise exception using
      errcode = 'TK404',
      message = format('role "%s" does not exist', left(v_role, 100)),
      hint    = 'Create it first, and grant it tasklib_worker.';
  end if;

  update tasklib.registered_tasks as r
     set allowed_roles = p_roles,
         updated_at    = tasklib.clock()
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  perform tasklib.log_action('restrict', null, p_name, jsonb_build_object('roles', p_roles));
  return query select r.* from tasklib.registered_tasks as r where r.name = p_name;
end;
$$;

comment on function tasklib.restrict_task is
$$Allows only members of these roles to run the tasks of a name. An empty array allows every worker, or no worker if the setting grants_required is true. The restriction applies from the next claim or report.

Locks the name's row. Raises TK404 if the name is not registered or a role does not exist, TK422 if p_roles is null.$$;

grant execute on function tasklib.restrict_task to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/pause_task.sql
create or replace function tasklib.pause_task(
  p_name    text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  update tasklib.registered_tasks as r
     set paused_at = tasklib.clock(),
         paused_by = tasklib.caller_name()
   where r.name = p_name
     and r.paused_at is null;
  if found then
    perform tasklib.log_action('pause', null, p_name, '{}');
    return true;
  end if;

  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  return false;
end;
$$;

comment on function tasklib.pause_task is
$$Pauses a name: its tasks can no longer be claimed. Running tasks may finish. Returns true if this call paused the name, false if it was already paused.

Idempotent. Locks the name's row only. Raises TK404 if the name is not registered.$$;

grant execute on function tasklib.pause_task to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/resume_task.sql
create or replace function tasklib.resume_task(
  p_name    text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  update tasklib.registered_tasks as r
     set paused_at = null,
         paused_by = null
   where r.name = p_name
     and r.paused_at is not null;
  if found then
    perform tasklib.log_action('resume', null, p_name, '{}');
    perform tasklib.notify_ready(p_name);
    return true;
  end if;

  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  return false;
end;
$$;

comment on function tasklib.resume_task is
$$Resumes a paused name: its tasks can be claimed again. Returns true if this call resumed the name, false if it was not paused.

Idempotent. Locks the name's row only. Raises TK404 if the name is not registered.$$;

grant execute on function tasklib.resume_task to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/cancel_task.sql
create or replace function tasklib.cancel_task(
  p_id      uuid,
  p_reason  text  default null
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
  v_task tasklib.tasks;
begin
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.state not in ('pending', 'running') then
    return false;
  end if;

  update tasklib.tasks as t
     set state         = 'cancelled',
         ready         = false,
         completed_at  = tasklib.write_clock(),
         expires_at    = tasklib.expiry(t.name, 'cancelled', tasklib.write_clock()),
         next_retry_at = null,
         locked_until  = null,
         worker_id     = null,
         error         = left(coalesce(p_reason, t.error), tasklib.setting('error_bytes')::integer)
   where t.id = p_id;

  if v_task.state = 'running' then
    if tasklib.setting('audit_runs')::boolean then
      insert into tasklib.task_runs (task_id, claim_no, name, worker_id, started_at, ended_at, outcome, error)
      values (p_id, v_task.claim_no, v_task.name, v_task.worker_id, v_task.started_at, tasklib.write_clock(), 'cancelled', p_reason);
    end if;
    -- The task's worker is awake, so notify even if no worker sleeps.
    if tasklib.setting('notify') <> 'off' then
      perform pg_notify('tasklib_cancelled', p_id::text);
    end if;
  end if;
  perform tasklib.log_action('cancel', p_id, v_task.name, jsonb_build_object('from', v_task.state, 'reason', p_reason));
  return true;
end;
$$;

comment on function tasklib.cancel_task is
$$Cancels a pending or running task. Returns true if this call cancelled the task, false if the task had already ended. If the task is running, notifies its worker on the channel tasklib_cancelled, unless the setting notify is off. A later report of this worker is stale.

Idempotent. Locks the task. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.cancel_task to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/retry_task.sql
create or replace function tasklib.retry_task(
  p_id             uuid,
  p_delay_seconds  double precision  default 0
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
  v_task tasklib.tasks;
begin
  p_delay_seconds := coalesce(p_delay_seconds, 0);
  if p_delay_seconds between 0 and 3153600000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('a task cannot be retried after %s seconds', p_delay_seconds),
      hint    = 'The delay must be between 0 seconds and 100 years.';
  end if;
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.state in ('pending', 'running') then
    return false;
  end if;
  if v_task.state = 'completed' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is completed', p_id),
      hint    = 'Submit it again to run it once more.';
  end if;
  if v_task.erased_at is not null then
    raise exception using
      errcode = 'TK409',
      message = format('task %s was erased and cannot run again', p_id),
      hint    = 'Submit a new task. tasklib.list_task_actions() shows who erased it, and why.';
  end if;
  if v_task.dedup_key is not null and not v_task.dedup_kept and exists (
    select
      from tasklib.tasks as o
     where o.name = v_task.name
       and o.dedup_key = v_task.dedup_key
       and o.dedup_key is not null
       and (o.dedup_kept or o.state in ('pending', 'running'))
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('another task of "%s" with the key of task %s is open', v_task.name, p_id),
      detail  = format('The key is "%s".', v_task.dedup_key),
      hint    = 'Cancel one of them, or let it run.';
  end if;

  update tasklib.tasks as t
     set state        = 'pending',
         ready        = p_delay_seconds = 0,
         retry_count  = 0,
         scheduled_at = tasklib.clock() + make_interval(secs => p_delay_seconds),
         completed_at = null,
         expires_at   = null
   where t.id = p_id;
  perform tasklib.notify_ready(v_task.name);
  perform tasklib.log_action('retry', p_id, v_task.name, jsonb_build_object('from', v_task.state, 'error', v_task.error));
  return true;
end;
$$;

comment on function tasklib.retry_task is
$$Makes a failed or cancelled task pending again, with all its retries. It is due after p_delay_seconds. Returns false if the task is already pending or running. The last error of the task stays until its next run ends, and its claim number is not reset.

Idempotent. Locks the task. Raises TK404 if the task does not exist, TK409 if the task is completed, was erased, or has the deduplication key of another open task, TK422 for an invalid delay.$$;

grant execute on function tasklib.retry_task to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/erase_task.sql
create or replace function tasklib.erase_task(
  p_id      uuid,
  p_reason  text
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
  v_task   tasklib.tasks;
  v_digest text;
begin
  perform tasker.check_bulk(p_reason, 1, false);
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.erased_at is not null then
    return false;
  end if;
  if v_task.state in ('pending', 'running') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot be erased: it is %s', p_id, v_task.state),
      hint    = 'Cancel it first, with tasklib.cancel_task(id, reason).';
  end if;

  v_digest := encode(sha256(convert_to(
    jsonb_build_array(v_task.args, v_task.kwargs, v_task.tags, v_task.result, v_task.error, v_task.dedup_key, v_task.limit_key)::text, 'UTF8'
  )), 'hex');
  update tasklib.tasks as t
     set args      = tasker.erased_json(t.args),
         kwargs    = tasker.erased_json(t.kwargs),
         tags      = tasker.erased_json(t.tags),
         result    = tasker.erased_json(t.result),
         error     = tasker.erased_text(t.error),
         dedup_key = null,
         limit_key = tasker.erased_text(t.limit_key),
         erased_at = tasklib.write_clock()
   where t.id = p_id;
  update tasklib.task_runs as r set error = 'erased' where r.task_id = p_id and r.error is not null;
  update tasklib.task_actions as a set detail = tasker.erased_json(a.detail) where a.task_id = p_id;
  perform tasklib.log_action('erase', p_id, v_task.name, jsonb_build_object('reason', p_reason, 'digest', v_digest));
  return true;
end;
$$;

comment on function tasklib.erase_task is
$$Erases the data of a task that has ended: the arguments, tags, result, errors and keys, and the texts of earlier actions on the task. The data cannot be restored. States, times and counts stay. The function tasklib.list_task_actions returns who erased the task and why, with a SHA-256 of the erased data. An erased task cannot be retried. A submission with its former deduplication key creates a new task. Returns true if this call erased the task, false if an earlier call did.

Idempotent. Locks the task. Raises TK404 if the task does not exist, TK409 if the task is pending or running, TK422 without a reason, TK413 if the reason is longer than 1,000 characters.$$;

grant execute on function tasklib.erase_task to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/get_task.sql
create or replace function tasklib.get_task(
  p_id uuid
)
  returns setof tasklib.task_details
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
  return query
  select
    t.id, t.name, t.state, t.priority, t.created_at, t.submitted_by, t.scheduled_at, t.started_at, t.completed_at,
    t.locked_until, t.worker_id, t.claim_no, t.retry_count, t.max_retries, t.next_retry_at, t.timeout_seconds,
    t.expires_at, t.dedup_key, t.limit_key, t.kwargs, t.tags, t.result, t.error, t.erased_at
  from tasklib.tasks as t
  where t.id = p_id;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
end;
$$;

comment on function tasklib.get_task is
$$Returns a task with all its data. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.get_task to tasklib_submitter, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/private/parse_state.sql
create or replace function tasklib.parse_state(
  p_state text
)
  returns tasklib.task_state
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_state in ('pending', 'running', 'completed', 'failed', 'cancelled') is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a state of a task', left(p_state, 100)),
      hint    = 'The states are pending, running, completed, failed and cancelled.';
  end if;
  return p_state;
end;
$$;

comment on function tasklib.parse_state is
$$Converts a text to the state of a task. Raises TK422 if the text is not a state.$$;
-- <<<

-- >>> db/schema/tasklib/functions/list_tasks.sql
create or replace function tasklib.list_tasks(
  p_state   text     default null,
  p_name    text     default null,
  p_limit   integer  default 100,
  p_tags    jsonb    default null,
  p_before  uuid     default null
)
  returns setof tasklib.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasklib.task_state;
begin
  p_limit := coalesce(p_limit, 100);
  if p_state is not null then
    v_state := tasklib.parse_state(p_state);
  end if;
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'For the next page pass the last task''s id as p_before.';
  end if;

  -- PostgreSQL plans this query for the given filters. A condition on a rare state lets the plan use the partial index of that
  -- state. Without the condition PostgreSQL would search millions of tasks to find a few.
  return query execute format(
    $list$
    select
    t.id, t.name, t.state, t.priority, t.created_at, t.submitted_by, t.scheduled_at, t.started_at, t.completed_at,
    t.locked_until, t.worker_id, t.claim_no, t.retry_count, t.max_retries, t.next_retry_at, t.timeout_seconds,
    t.expires_at, t.dedup_key, t.limit_key, t.kwargs, t.tags, t.result, t.error, t.erased_at
    from %s as t
    where true %s %s %s %s
    order by t.id desc
    limit $5
    $list$,
    case
      when v_state = 'pending' then
        '(select * from tasklib.tasks where ready and limit_key is null'
        ' union all select * from tasklib.tasks where ready and limit_key is not null'
        ' union all select * from tasklib.tasks where state = ''pending'' and not ready)'
      else 'tasklib.tasks'
    end,
    case v_state
      when 'running' then 'and t.state = ''running'' and t.locked_until is not null'
      when 'failed' then 'and t.state = ''failed'''
      when 'completed' then 'and t.state = ''completed'''
      when 'cancelled' then 'and t.state = ''cancelled'''
    end,
    case when p_name is not null then 'and t.name = $2' end,
    case when p_tags is not null then 'and t.tags @> $3' end,
    case when p_before is not null then 'and t.id < $4' end
  ) using v_state, p_name, p_tags, p_before, p_limit;
end;
$$;

comment on function tasklib.list_tasks is
$$Returns tasks that match every filter, newest first. A null argument is no filter. With p_tags, returns only tasks whose tags contain p_tags.

For the next page, pass the id of the last task as p_before. A page has p_limit tasks (default 100, at most 10,000). Raises TK422 for an unknown state or a limit out of bounds.$$;

grant execute on function tasklib.list_tasks
  to tasklib_submitter, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/find_tasks_by_short_id.sql
create or replace function tasklib.find_tasks_by_short_id(p_short_id text)
  returns setof uuid
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
  if coalesce(p_short_id !~* '^[0-9a-f]{4,8}$', true) then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a short id', coalesce('"' || left(p_short_id, 40) || '"', 'null')),
      hint    = 'It is the first 4 to 8 digits of a UUID''s last group, in hex.';
  end if;
  return query
  select t.id
    from (
      select t.id
        from tasklib.tasks as t
       order by t.id desc
       limit 200000
    ) as t
   where substr(t.id::text, 25, length(p_short_id)) = lower(p_short_id)
   order by t.id desc
   limit 10;
end;
$$;

comment on function tasklib.find_tasks_by_short_id is
$$Returns the ids of at most 10 tasks whose short id begins with p_short_id (4 to 8 digits), newest first. A short id is the first 8 digits of the last group of a task's UUID. These digits are random.

Searches the 200,000 newest tasks, and reads only the index of their ids. Raises TK422 if p_short_id is not a short id.$$;

grant execute on function tasklib.find_tasks_by_short_id to tasklib_submitter, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/list_task_runs.sql
create or replace function tasklib.list_task_runs(
  p_id uuid
)
  returns setof tasklib.task_runs
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
  if not exists (select from tasklib.tasks as t where t.id = p_id) then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  return query
  select r.*
    from tasklib.task_runs as r
   where r.task_id = p_id
   order by r.claim_no;
end;
$$;

comment on function tasklib.list_task_runs is
$$Returns the ended runs of a task, oldest first: the worker, its role, the start, the end and the outcome of each run. Runs are recorded only while the setting audit_runs is true. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.list_task_runs to tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/list_task_actions.sql
create or replace function tasklib.list_task_actions(
  p_id      uuid     default null,
  p_before  bigint   default null,
  p_limit   integer  default 100
)
  returns setof tasklib.task_actions
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_limit := coalesce(p_limit, 100);
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'For the next page pass the last action''s number as p_before.';
  end if;
  return query
  select a.*
    from tasklib.task_actions as a
   where (p_id is null or a.task_id = p_id)
     and (p_before is null or a.action_no < p_before)
   order by a.action_no desc
   limit p_limit;
end;
$$;

comment on function tasklib.list_task_actions is
$$Returns at most p_limit actions of operators, newest first: who cancelled, retried, erased, paused, resumed, restricted, registered, scheduled, unscheduled or purged which task or name. With p_id, returns only actions on this task. With p_before, returns only actions with a lower action_no. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.list_task_actions
  to tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/private/delete_tasks.sql
create or replace function tasklib.delete_tasks(
  p_ids uuid[]
)
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
begin
  delete from tasklib.task_runs as r using unnest(p_ids) as u (id) where r.task_id = u.id;
  delete from tasklib.tasks as t using unnest(p_ids) as u (id) where t.id = u.id;
  return cardinality(p_ids);
end;
$$;

comment on function tasklib.delete_tasks is
$$Deletes tasks and their recorded runs. The caller has locked the tasks. Returns the number of tasks.$$;
-- <<<

-- >>> db/schema/tasklib/functions/purge_expired.sql
create or replace function tasklib.purge_expired(
  p_limit  integer  default 1000
)
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
begin
  p_limit := coalesce(p_limit, 1000);
  if p_limit between 1 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call deletes 1 to 100,000 tasks.';
  end if;
  -- Delete the rows by ctid. A ctid stays valid while the row is locked.
  delete from tasklib.key_rates as k
   where k.ctid = any (array(
     select p.place
       from tasklib.registered_tasks as r
      cross join lateral (
        select k.ctid as place
          from tasklib.key_rates as k
         where k.name = r.name
           and k.paid_until <= tasklib.clock()
         order by k.paid_until
         limit p_limit
           for update skip locked
      ) as p
      where r.keyed
   ));
  return tasklib.delete_tasks(array(
    select t.id
      from tasklib.tasks as t
     where t.expires_at is not null
       and t.expires_at <= tasklib.clock()
     order by t.expires_at
     limit p_limit
       for update skip locked
  ));
end;
$$;

comment on function tasklib.purge_expired is
$$Deletes at most p_limit expired tasks and their recorded runs, and returns how many tasks it deleted. Workers call this function periodically. If no task has expired, a call searches one index for tasks, and another index once for each name with limit keys. Also deletes rows of tasklib.key_rates whose limit keys may use their whole rate again.

Locks the tasks without waiting. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.purge_expired to tasklib_worker, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/purge.sql
create or replace function tasklib.purge(
  p_before  timestamptz,
  p_state   text     default null,
  p_name    text     default null,
  p_limit   integer  default 10000
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasklib.task_state;
  v_ids   uuid[];
begin
  p_limit := coalesce(p_limit, 10000);
  if p_state is not null then
    v_state := tasklib.parse_state(p_state);
  end if;
  if p_before is null or p_limit between 1 and 100000 is not true or v_state in ('pending', 'running') then
    raise exception using
      errcode = 'TK422',
      message = 'tasks cannot be purged with these arguments',
      detail  = format('before %s, state %s, name %s, limit %s', p_before, left(p_state, 100), left(p_name, 100), p_limit),
      hint    = 'Pass the time before which tasks must have ended; a state is completed, failed or cancelled; one call deletes 1 to 100,000.';
  end if;

  -- The setting plan_cache_mode is not set here, so that PostgreSQL can plan this query for the given filters.
  v_ids := array(
    select t.id
      from tasklib.tasks as t
     where t.completed_at < p_before
       and (p_name is null or t.name = p_name)
       and (v_state is null or t.state = v_state)
     order by t.id
     limit p_limit
       for update skip locked
  );
  if v_ids <> '{}' then
    perform tasklib.delete_tasks(v_ids);
    perform tasklib.log_action('purge', null, p_name, jsonb_build_object(
      'before', p_before, 'state', p_state, 'count', cardinality(v_ids)));
  end if;
  return cardinality(v_ids);
end;
$$;

comment on function tasklib.purge is
$$Deletes tasks that ended before p_before, and their recorded runs, even if the tasks have not expired. With p_state or p_name, deletes only tasks of that state or name. Deletes at most p_limit tasks, the oldest first, and returns how many. To delete all such tasks, call this function until it returns 0.

Never deletes a pending or running task. Locks the tasks without waiting. Raises TK422 for an invalid state or limit, or without a time.$$;

grant execute on function tasklib.purge to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/stats.sql
create or replace function tasklib.stats(
  p_name           text              default null,
  p_since_seconds  double precision  default 3600
)
  returns setof tasklib.task_stats
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_since uuid;
  v_now   timestamptz := tasklib.clock();
begin
  p_since_seconds := coalesce(p_since_seconds, 3600);
  if p_since_seconds between 0 and 3153600000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('there are no statistics of the last %s seconds', p_since_seconds),
      hint    = 'The time must be between 0 seconds and 100 years.';
  end if;
  if p_name is not null and not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  -- An id begins with the time of submission, so a range of ids is a range of time.
  v_since := lpad(to_hex(greatest(0, floor(
    extract(epoch from v_now - make_interval(secs => p_since_seconds)) * 1000))::bigint), 12, '0') || repeat('0', 20);

  return query
  select r.name, r.paused_at is not null,
         coalesce(a.ready, 0) + coalesce(w.due, 0), coalesce(w.waiting, 0), coalesce(l.running, 0), coalesce(f.failed, 0),
         least(o.scheduled_at, a.keyed_at, w.due_at), k.opened_until,
         coalesce(s.submitted, 0), coalesce(s.completed, 0), coalesce(s.retried, 0), s.mean_run, s.mean_wait
    from tasklib.registered_tasks as r
    left join tasklib.task_limits as k on k.name = r.name
    left join (
      select u.name, count(*) as ready, min(u.keyed_at) as keyed_at
        from (
          select t.name, null::timestamptz as keyed_at from tasklib.tasks as t where t.ready and t.limit_key is null
          union all
          select t.name, t.scheduled_at from tasklib.tasks as t where t.ready and t.limit_key is not null
        ) as u
       group by u.name
    ) as a on a.name = r.name
    left join (
      -- A claim marks tasks as ready when their time has come. Count a due task as ready even if no claim has marked it yet.
      select t.name, count(*) filter (where t.scheduled_at > v_now) as waiting,
             count(*) filter (where t.scheduled_at <= v_now) as due, min(t.scheduled_at) filter (where t.scheduled_at <= v_now) as due_at
        from tasklib.tasks as t
       where t.state = 'pending'
         and not t.ready
       group by t.name
    ) as w on w.name = r.name
    left join (
      select t.name, count(*) as running from tasklib.tasks as t where t.locked_until is not null group by t.name
    ) as l on l.name = r.name
    left join (
      select t.name, count(*) as failed from tasklib.tasks as t where t.state = 'failed' group by t.name
    ) as f on f.name = r.name
    left join lateral (
      select t.scheduled_at
        from tasklib.tasks as t
       where t.name = r.name
         and t.ready
         and t.limit_key is null
       order by t.priority desc, t.id
       limit 1
    ) as o on true
    left join (
      select t.name, count(*) as submitted,
             count(*) filter (where t.state = 'completed') as completed,
             count(*) filter (where t.retry_count > 0) as retried,
             avg(extract(epoch from t.completed_at - t.started_at)) filter (where t.state = 'completed')::double precision as mean_run,
             avg(extract(epoch from t.started_at - t.scheduled_at)) filter (where t.started_at >= t.scheduled_at)::double precision as mean_wait
        from tasklib.tasks as t
       where t.id >= v_since
       group by t.name
    ) as s on s.name = r.name
   where p_name is null or r.name = p_name
   order by r.name;
end;
$$;

comment on function tasklib.stats is
$$Returns statistics of each name, or of one name: how many tasks are ready, wait for their time, run or have failed, and whether the name is paused or its circuit breaker is open. The column oldest_ready_at has the time since which the next task to be claimed, or another ready task, has been due. The other columns cover only tasks that were submitted in the last p_since_seconds: how many tasks there are, how many are completed or were retried, and how long they ran and waited on average.

The cost grows with the number of open and failed tasks and with the number of tasks submitted in that time. Older completed tasks cost nothing. Raises TK404 if the name is not registered, TK422 for an invalid time.$$;

grant execute on function tasklib.stats to tasklib_operator, tasklib_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121002200', 'tasklib/functions/cancel_task cba6f5ffbb827e1f
tasklib/functions/erase_task 55b51b1ee4c9faa7
tasklib/functions/find_tasks_by_short_id 4b2b94b9eeb29da5
tasklib/functions/get_registered_tasks ef6c0a9f42a71dd4
tasklib/functions/get_task 4a8d1556a1cbf495
tasklib/functions/list_task_actions 69c6e26c91a2e82e
tasklib/functions/list_task_runs cc07ec6bb7b8afa0
tasklib/functions/list_tasks 8c9a7421eb8b7a09
tasklib/functions/pause_task 572af28cc0ca3199
tasklib/functions/private/apply_options bbf5c1388543020c
tasklib/functions/private/check_options 4bd06365f6429913
tasklib/functions/private/delete_tasks 80ee6a423186cdf7
tasklib/functions/private/log_action ac6881be76d7e12c
tasklib/functions/private/option_number ed741399e16e2c06
tasklib/functions/private/parse_state 8bd31e2ccb9fa1bf
tasklib/functions/purge 50d242ef9b4fc437
tasklib/functions/purge_expired f5da752f41ba7386
tasklib/functions/register_task 957cad93023297dd
tasklib/functions/restrict_task b4e48368d933a175
tasklib/functions/resume_task 7bafb60eb12a8983
tasklib/functions/retry_task 7b4b0fcf0fb90b97
tasklib/functions/stats 52909f7f97e8f38f
tasklib/rows/task_details 00566072afd172fe
tasklib/rows/task_stats 5995eaff6004fc7a
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121002200';

drop function tasklib.stats;
drop function tasklib.purge;
drop function tasklib.purge_expired;
drop function tasklib.delete_tasks;
drop function tasklib.list_task_actions;
drop function tasklib.list_task_runs;
drop function tasklib.find_tasks_by_short_id;
drop function tasklib.list_tasks;
drop function tasklib.parse_state;
drop function tasklib.get_task;
drop function tasklib.erase_task;
drop function tasklib.retry_task;
drop function tasklib.cancel_task;
drop function tasklib.resume_task;
drop function tasklib.pause_task;
drop function tasklib.restrict_task;
drop function tasklib.get_registered_tasks;
drop function tasklib.register_task;
drop function tasklib.check_options;
drop function tasklib.apply_options;
drop function tasklib.log_action;
drop function tasklib.option_number;
drop view tasklib.task_stats;
drop view tasklib.task_details;

select tasker.note_objects();

reset role;
