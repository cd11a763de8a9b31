-- foundation: types, identifiers, the clock, settings
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/operate/doctor/schema_builds.sql
create table tasker.schema_builds (
  version  text  not null,
  files    text  not null,

  constraint schema_builds_pkey
    primary key (version)
);

comment on table tasker.schema_builds is
  'The files of db/schema from which each applied migration was composed. Migrations write this table themselves, whichever program applies them.';
comment on column tasker.schema_builds.files is
  'A line for each file: its name, and the first 16 digits of its SHA-256, or "dropped".';
-- <<<

-- >>> db/schema/tables/operate/audit/schema_objects.sql
create table tasker.schema_objects (
  object      text  not null,
  definition  text  not null,
  grants      text  not null,

  constraint schema_objects_pkey
    primary key (object)
);

comment on table tasker.schema_objects is
  'The functions, views, tables and schemas as the newest migration left them. Each migration writes this table at its end.';
comment on column tasker.schema_objects.definition is
  'A digest: of the body and the options of a function, of the query of a view, of the columns, constraints and triggers of a table.';
comment on column tasker.schema_objects.grants is
  'The privileges of roles other than the owner.';

revoke all on table tasker.schema_objects from public;
-- <<<

-- >>> db/schema/privileges.sql
-- down: alter default privileges grant execute on functions to public;

-- No function of tasker_owner can be executed by a role that is not granted it. Tables need no such line: they belong to their owner.
alter default privileges revoke execute on functions from public;
-- <<<

-- >>> db/schema/types/task_state.sql
create type tasker.task_state as enum (
  'pending',
  'initializing',
  'enqueuing_steps',
  'steps_in_process',
  'evaluating_results',
  'waiting_for_dependencies',
  'waiting_for_retry',
  'blocked_by_failures',
  'complete',
  'error',
  'cancelled',
  'resolved_manually'
);

comment on type tasker.task_state is
  'The state of a task. tasker.task_states has the meaning of each state, and tasker.task_state_machine has the transitions.';
-- <<<

-- >>> db/schema/types/task_path.sql
create domain tasker.task_path as smallint
  constraint task_path_check
    check (value between 1 and 49 or value between 1001 and 1017 or value between 2001 and 2008 or value = 3001);

comment on domain tasker.task_path is
  'The number of a path in the task log. tasker.task_log_paths has the transitions of each path. The thousands of the number show the end of the path: 1 for error, 2 for cancelled, 3 for resolved by hand. The check refuses a number that has no path. A number is never used again for another path.';
-- <<<

-- >>> db/schema/types/step_state.sql
create type tasker.step_state as enum (
  'pending',
  'enqueued',
  'in_progress',
  'enqueued_for_orchestration',
  'enqueued_as_error_for_orchestration',
  'waiting_for_retry',
  'suspended',
  'complete',
  'error',
  'cancelled',
  'resolved_manually'
);

comment on type tasker.step_state is
  'The state of a step. tasker.step_states has the meaning of each state, and tasker.step_state_machine has the transitions.';
-- <<<

-- >>> db/schema/types/step_path.sql
create domain tasker.step_path as smallint
  constraint step_path_check
    check (value between 1 and 77 or value between 1001 and 1010);

comment on domain tasker.step_path is
  'The number of a path in the step log. tasker.step_log_paths has the transitions of each path. Numbers from 1,000 on are paths of failed results. The check refuses a number that has no path. A number is never used again for another path.';
-- <<<

-- >>> db/schema/types/log_duration.sql
create domain tasker.log_duration as bigint
  constraint log_duration_check
    check (value >= 0);

comment on domain tasker.log_duration is
  'An execution time in milliseconds in the step log. The type is a domain, because PostgreSQL reads the check of a domain once in a session, but the check of a table in each statement.';
-- <<<

-- >>> db/schema/types/queue_lane.sql
create type tasker.queue_lane as enum (
  'high', 'normal', 'low', 'running', 'results', 'limited', 'published_high', 'published_normal', 'published_low',
  'paused'
);

comment on type tasker.queue_lane is
  'The lane of a row of tasker.step_queue, which decides which claim takes the row. Workers take rows from the lanes high, normal and low. Rows in the lane limited wait until a claim gives them a place in their limit. Rows in the lane running have a worker. Rows in the lane results wait for an orchestrator. Rows in the lane paused belong to a paused task. Messages of a broker carry the rows in the lanes published_high, published_normal and published_low.';
-- <<<

-- >>> db/schema/types/timer_kind.sql
create type tasker.timer_kind as enum (
  'start_task', 'retry_step', 'task_deadline', 'fire_schedule', 'end_wait', 'expand_map', 'start_child', 'child_ended', 'cancel_child',
  'undo_task', 'match_wait', 'deliver_event', 'advance_task', 'end_race', 'serve_run', 'start_within', 'hold_task'
);

comment on type tasker.timer_kind is
  'The action that follows when a timer of tasker.timers is due. The kinds start_child, child_ended and cancel_child are notes between tasks, due at once. The kinds undo_task, advance_task and end_race are notes of a task to itself. The kind serve_run starts the next tasks of the key that the task has or had. The kind start_within fails a step that no worker has started. The kinds match_wait and deliver_event bring broadcasts and waits together, in a later transaction than the one that wrote the broadcast or the wait. The kind hold_task marks a paused task and is never due.';
-- <<<

-- >>> db/schema/rows/kernel/timer/fire_budgets.sql
create or replace view tasker.fire_budgets as
select
  0::integer as timers,
  0::integer as instances,
  0::integer as receivers,
  '0'::interval as head_start,
  null::uuid as processor_uuid
where false;

comment on view tasker.fire_budgets is
  'Row type: the largest numbers of timers, instances of maps and receivers of events for one call that fires timers, and the processor that calls. The rest of a map or of an event is due head_start later.';
-- <<<

-- >>> db/schema/types/join_mode.sql
create domain tasker.join_mode as text
  constraint join_mode_check
    check (value in ('all', 'any', 'settled', 'first'));

comment on domain tasker.join_mode is
  'The parents that must have succeeded before a step runs. The mode all needs all parents, any needs one of them, and settled needs none. These three modes wait until all parents have settled. The mode first needs one success and does not wait for the other parents.';
-- <<<

-- >>> db/schema/types/backoff_base.sql
create domain tasker.backoff_base as numeric
  constraint backoff_base_check
    check (value > 0);

comment on domain tasker.backoff_base is
  'The wait before the first retry, in seconds. Waits before later retries are multiples of it.';
-- <<<

-- >>> db/schema/types/backoff_multiplier.sql
create domain tasker.backoff_multiplier as numeric
  constraint backoff_multiplier_check
    check (value >= 1);

comment on domain tasker.backoff_multiplier is
  'The factor by which the wait grows with each further attempt.';
-- <<<

-- >>> db/schema/types/backoff_limit.sql
create domain tasker.backoff_limit as integer
  constraint backoff_limit_check
    check (value >= 0);

comment on domain tasker.backoff_limit is
  'The longest wait between two attempts, in seconds.';
-- <<<

-- >>> db/schema/types/place.sql
create domain tasker.place as integer
  constraint place_check
    check (value > 0);

comment on domain tasker.place is
  'A place in an order, from 1. The check of this domain is cheaper than a check of the table, which PostgreSQL reads again in every statement that writes.';
-- <<<

-- >>> db/schema/types/worker_name.sql
create domain tasker.worker_name as text
  constraint worker_name_check
    check (length(value) between 1 and 200);

comment on domain tasker.worker_name is
  'The name of a worker. The type is a domain, because each exchange updates the worker''s row, and PostgreSQL reads the check of a table in each statement that writes.';
-- <<<

-- >>> db/schema/types/worker_version.sql
create domain tasker.worker_version as text
  constraint worker_version_check
    check (length(value) between 1 and 100);

comment on domain tasker.worker_version is
  'The version of a worker''s program. The type is a domain for the same reason as tasker.worker_name.';
-- <<<

-- >>> db/schema/types/result_answer.sql
create type tasker.result_answer as enum (
  'completed',
  'retrying',
  'failed',
  'recorded',
  'already_complete',
  'stale',
  'cancelled',
  'too_large',
  'not_found',
  'busy',
  'released',
  'gone',
  'paused',
  'limited'
);

comment on type tasker.result_answer is
  'The answer to the result, the release or the delivery of a step. The columns and functions that return an answer say which of these answers they return.';
-- <<<

-- >>> db/schema/types/lease_answer.sql
create type tasker.lease_answer as enum (
  'extended',
  'saved',
  'stale',
  'cancelled',
  'not_found',
  'busy'
);

comment on type tasker.lease_answer is
  'The answer to the renewal of a step''s lease, or to a checkpoint of the step, which also renews the lease.';
-- <<<

-- >>> db/schema/types/call_answer.sql
create type tasker.call_answer as enum (
  'kept',
  'known',
  'diverged',
  'suspended',
  'ended',
  'continued',
  'stale',
  'cancelled'
);

comment on type tasker.call_answer is
  'The answer to a call of a durable function.';
-- <<<

-- >>> db/schema/types/delivery.sql
create type tasker.delivery as enum (
  'delivered',
  'kept',
  'repeated',
  'ended'
);

comment on type tasker.delivery is
  'The answer to a signal. tasker.signal_answers has the meaning of each answer.';
-- <<<

-- >>> db/schema/functions/kernel/ident/uuid_generate_v7.sql
create or replace function tasker.uuid_generate_v7()
  returns uuid
  language plpgsql
  volatile
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- Round down, because the next millisecond may belong to another partition.
  v_micros bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  return encode(
    overlay(
      uuid_send(gen_random_uuid())
      placing int8send(((v_micros / 1000) << 16) | x'7000'::bigint | ((v_micros % 1000) * 4096 / 1000))
      from 1 for 8
    ),
    'hex'
  )::uuid;
end;
$$;

comment on function tasker.uuid_generate_v7 is
$$Returns a new UUID of version 7: 48 bits of milliseconds, the microseconds in the twelve bits after the version, 62 random bits. The UUIDs of one session ascend.

This is the default of every key that is not a task's or a step's.$$;

grant execute on function tasker.uuid_generate_v7
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/data/native_uuid_v7.sql
-- down: nothing

-- PostgreSQL 18 has its own generator of UUIDs with the same layout. There this function, which PostgreSQL inlines, replaces
-- functions/kernel/ident/uuid_generate_v7.sql.
do $do$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    execute $create$
      create or replace function tasker.uuid_generate_v7()
        returns uuid
        language sql
        volatile
        parallel safe
      begin atomic
        select pg_catalog.uuidv7();
      end
    $create$;
  end if;
end;
$do$;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/uuid_v7_floor.sql
create or replace function tasker.uuid_v7_floor(p_at timestamptz)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select rpad(lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end;

comment on function tasker.uuid_v7_floor is
$$Returns the lower bound of all UUIDs of a millisecond, for the bound of a partition. This bound itself is not a valid UUID of version 7.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/uuid_v7_time.sql
create or replace function tasker.uuid_v7_time(p_uuid uuid)
  returns timestamptz
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select to_timestamp(('x' || translate(left(p_uuid::text, 13), '-', ''))::bit(48)::bigint / 1000.0);
end;

comment on function tasker.uuid_v7_time is
$$Returns the time in a UUID of version 7, to the millisecond. For other versions the result has no meaning.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/is_task_uuid.sql
create or replace function tasker.is_task_uuid(p_uuid uuid)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare bytes, because this function runs for each row of a task, and a pattern over the text costs thirty times as
  -- much.
  select get_byte(uuid_send(p_uuid), 6) >> 4 = 7
    and get_byte(uuid_send(p_uuid), 8) >> 6 = 2
    and substr(uuid_send(p_uuid), 15) = '\x0000'::bytea;
end;

comment on function tasker.is_task_uuid is
$$Returns true if a UUID has the form of a task's UUID: version 7, and the last 16 bits are zero. Queries no table, so the task need not exist.$$;

grant execute on function tasker.is_task_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/task_uuid_of.sql
create or replace function tasker.task_uuid_of(p_step_uuid uuid)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select encode(set_byte(set_byte(uuid_send(p_step_uuid), 14, 0), 15, 0), 'hex')::uuid;
end;

comment on function tasker.task_uuid_of is
$$Computes the UUID of a step's task from the step's UUID. A step's UUID is the UUID of its task with the step number in the last 16 bits.

For the UUID of a task, returns the same UUID. Queries no table, so neither task nor step need exist.$$;

grant execute on function tasker.task_uuid_of
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/step_no_of.sql
create or replace function tasker.step_no_of(p_step_uuid uuid)
  returns integer
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select (get_byte(uuid_send(p_step_uuid), 14) << 8) + get_byte(uuid_send(p_step_uuid), 15);
end;

comment on function tasker.step_no_of is
$$Returns the number of a step in its task (1 to 65,535), which is in the last 16 bits of the step's UUID. Returns 0 for the UUID of a task.$$;

grant execute on function tasker.step_no_of
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/step_uuid.sql
create or replace function tasker.step_uuid(p_task_uuid uuid, p_step_no integer)
  returns uuid
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_step_no between 1 and 65535
    then encode(set_byte(set_byte(uuid_send(p_task_uuid), 14, p_step_no >> 8), 15, p_step_no & 255), 'hex')::uuid
  end;
end;

comment on function tasker.step_uuid is
$$Computes the UUID of step number p_step_no of a task. Returns null if the number is not between 1 and 65,535.

This function is the inverse of tasker.task_uuid_of and tasker.step_no_of.$$;

grant execute on function tasker.step_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/is_step_uuid.sql
create or replace function tasker.is_step_uuid(p_uuid uuid, p_task_uuid uuid, p_step_no integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare bytes, because this function runs for each new step. Making the UUID and comparing it would cost three
  -- times as much.
  select p_step_no between 1 and 65535
    and uuid_send(p_uuid) = set_byte(set_byte(uuid_send(p_task_uuid), 14, p_step_no >> 8), 15, p_step_no & 255);
end;

comment on function tasker.is_step_uuid is
$$Returns whether a UUID is the UUID that tasker.step_uuid computes from this task and number. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/transition_uuid.sql
create or replace function tasker.transition_uuid(p_task_uuid uuid, p_step_no integer, p_sort_key integer)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  -- This is one expression that names each parameter once, so that the function is inlined and the digest is computed
  -- once. The version is in bits 52 to 55, the variant in bits 70 and 71. set_bit counts from the lowest bit of a byte.
  select encode(
    set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(
      substr(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 1, 16),
      52, 0), 53, 0), 54, 0), 55, 1), 70, 0), 71, 1),
    'hex'
  )::uuid;
end;

comment on function tasker.transition_uuid is
$$Returns the UUID of a transition, of version 8, computed from the key of the transition. The same transition always has the same UUID. Step number 0 means a transition of the task.$$;

grant execute on function tasker.transition_uuid
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/clock.sql
create or replace function tasker.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasker.clock is
$$Returns the current time for leases, retries and timers. It is the same instant during a whole statement.

The clock is not a setting, because a client that changed the setting could end every lease. Tests replace this function.$$;

grant execute on function tasker.clock
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/write_clock.sql
create or replace function tasker.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasker.clock() = statement_timestamp() then clock_timestamp() else tasker.clock() end;
end;

comment on function tasker.write_clock is
$$Returns the time that is written into rows. Leases and log entries begin when the locks are granted, not when the call began to wait for the locks. If a test has replaced tasker.clock(), returns the time of the test.$$;
-- <<<

-- >>> db/schema/functions/kernel/time/private/utc_text.sql
create or replace function tasker.utc_text(p_time timestamptz)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end;

comment on function tasker.utc_text is
$$Returns a time as RFC 3339 text in UTC, whatever the time zone of the session. to_jsonb would write the time zone of the session.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/caller_name.sql
create or replace function tasker.caller_name()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- In a security definer function current_user is the owner of the function, and session_user ignores SET ROLE. Only
  -- the setting "role" shows the effect of SET ROLE.
  return coalesce(nullif(current_setting('role'), 'none'), session_user);
end;
$$;

comment on function tasker.caller_name is
$$Returns the role that the caller acts as, even in a security definer function. The actor columns use this role.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/set_role.sql
create or replace function tasker.set_role()
  returns text
  language sql
  stable
begin atomic
  select nullif(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasker.set_role is
$$Returns the role that the caller has set. Returns null if the caller acts as its login role. Logs record this role and session_user.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/raise_other_worker.sql
create or replace function tasker.raise_other_worker(p_worker_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('worker %s belongs to another role than "%s"', p_worker_uuid, tasker.caller_name()),
    hint    = 'Each process takes a new UUID. A worker belongs to the role that entered it.';
end;
$$;

comment on function tasker.raise_other_worker is
$$Raises TK403, because another role has registered the worker of this UUID.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/token_name.sql
create or replace function tasker.token_name()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Any session may change the setting, but only the sessions of tasker serve are trusted.
  if nullif(current_setting('tasker.token', true), '') is null
     or not pg_has_role(session_user, 'tasker_server', 'member') then
    return null;
  end if;
  return current_setting('tasker.token');
end;
$$;

comment on function tasker.token_name is
$$Returns the name of the access token for which tasker serve runs this transaction, or, for a person who signed in, "person", the e-mail address and the subject. Returns null for every other caller. The name of a token has no space, so that the two cannot be confused.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/actor_name.sql
create or replace function tasker.actor_name(p_actor text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token text;
begin
  -- Almost no session uses tokens.
  if nullif(current_setting('tasker.token', true), '') is not null then
    v_token := tasker.token_name();
  end if;
  if v_token is not null then
    return coalesce(p_actor || ', ', '') || case when v_token like 'person %' then '' else 'token ' end || v_token;
  end if;
  return coalesce(p_actor, tasker.caller_name());
end;
$$;

comment on function tasker.actor_name is
$$Returns the actor for the history: the actor that the caller names, otherwise the caller's role. For a request through tasker serve, the name of its token, or of the person who signed in, follows the actor, if the caller names one.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/recorded_caller.sql
create or replace function tasker.recorded_caller()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.actor_name(null) || case when tasker.set_role() is null then '' else format(' (logged in: %s)', session_user) end;
end;
$$;

comment on function tasker.recorded_caller is
$$Returns the caller as tasker.actor_name does, followed by the login role if the caller has set another role. Records of changes to the configuration use this name.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/is_scoped.sql
create or replace function tasker.is_scoped()
  returns boolean
  language sql
  stable
begin atomic
  select coalesce(current_setting('tasker.namespaces', true), '') <> '';
end;

comment on function tasker.is_scoped is
$$Returns true if the session's setting tasker.namespaces restricts the caller. tasker.bound_namespaces returns the namespaces that the caller is restricted to. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/narrowed.sql
create or replace function tasker.narrowed(p_namespaces text[], p_others text[])
  returns text[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_namespaces is null or p_others is null then
    return coalesce(p_namespaces, p_others);
  end if;
  return array(select unnest(p_namespaces) intersect select unnest(p_others) order by 1);
end;
$$;

comment on function tasker.narrowed is
$$Returns the namespaces that are in both lists. Null means all namespaces.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/session_scope.sql
create or replace function tasker.session_scope()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_scope text := current_setting('tasker.namespaces', true);
begin
  -- A setting that was local to an earlier transaction is an empty text afterwards, and does not restrict this
  -- transaction.
  if coalesce(v_scope, '') in ('', '*') then
    return null;
  elsif v_scope = '-' then
    return '{}';
  end if;
  return string_to_array(replace(v_scope, ' ', ''), ',');
end;
$$;

comment on function tasker.session_scope is
$$Returns the namespaces to which the setting tasker.namespaces restricts the session, or null if it restricts nothing. Requests with a token have this setting.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/private/setting_accepts.sql
create or replace function tasker.setting_accepts(
  p_kind     text,
  p_minimum  numeric,
  p_maximum  numeric,
  p_choices  text[],
  p_value    text
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_number numeric;
begin
  case p_kind
    when 'boolean' then
      return coalesce(p_value in ('true', 'false'), false);
    when 'choice' then
      return coalesce(p_value = any (p_choices), false);
    when 'tenant' then
      return coalesce(p_value ~ '^(none|tag:[^\u0001-\u001f\u007f-\u009f]{1,100}|context:[A-Za-z0-9_-]{1,100}([.][A-Za-z0-9_-]{1,100}){0,9})$', false);
    when 'link' then
      return coalesce(p_value ~ '^https?://[^\s"<>]+$' and length(p_value) <= 500, false);
    when 'integer' then
      if p_value is null or p_value !~ '^-?[0-9]{1,15}$' then
        return false;
      end if;
    when 'numeric' then
      if p_value is null or p_value !~ '^-?[0-9]{1,15}([.][0-9]{1,6})?$' then
        return false;
      end if;
    else
      return false;
  end case;

  v_number := p_value::numeric;
  return v_number between coalesce(p_minimum, v_number) and coalesce(p_maximum, v_number);
end;
$$;

comment on function tasker.setting_accepts is
$$Returns true if a text is a value of this kind, which lies within these bounds or is one of these choices. Never returns null.$$;
-- <<<

-- >>> db/schema/tables/kernel/setting/settings.sql
create table tasker.settings (
  name           text         not null,
  kind           text         not null,
  value          text         not null,
  default_value  text         not null,
  minimum        numeric,
  maximum        numeric,
  choices        text[],
  description    text         not null,
  changed_at     timestamptz,
  changed_by     text,

  constraint settings_pkey
    primary key (name),
  constraint settings_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint settings_kind_check
    check (kind in ('integer', 'numeric', 'boolean', 'choice', 'tenant', 'link')),
  constraint settings_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, value)),
  constraint settings_default_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, default_value)),
  constraint settings_range_check
    check (minimum <= maximum),
  constraint settings_choices_check
    check ((kind = 'choice') = (choices is not null))
);

comment on table tasker.settings is
  'The only place for tunables. The function tasker.set_setting changes a setting. If a function''s argument is null, the function uses the setting.';
comment on column tasker.settings.changed_at is
  'The time when the value was last changed. Null if the value is still the default from the migration.';
-- <<<

-- >>> db/schema/data/settings.sql
-- down: delete from tasker.settings;
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('backoff_base', 'numeric', '1', 0.001, 86400, 'Seconds before the first retry, before the multiplier.'),
  ('backoff_multiplier', 'numeric', '2', 1, 100, 'The factor by which each further attempt lengthens the wait.'),
  ('max_backoff_seconds', 'integer', '60', 0, 31536000, 'The longest wait between two attempts, in seconds.'),
  ('backoff_jitter', 'numeric', '0.2', 0, 1, 'The share of a wait that is random: 0.2 spreads it from 80 to 100 percent.'),
  ('lease_seconds', 'integer', '60', 1, 86400, 'How long a claimed step belongs to its worker without a renewal.'),
  ('max_attempts', 'integer', '3', 1, 10000, 'Attempts of a step whose template does not set them.'),
  ('max_lost', 'integer', '10', 1, 10000, 'How often a step may lose its worker before it fails as poison.'),
  ('result_bytes', 'integer', '1048576', 1, 268435456, 'The largest result of one step, in bytes.'),
  ('context_bytes', 'integer', '1048576', 2, 268435456, 'The largest context of one task, in bytes.'),
  ('event_bytes', 'integer', '16384', 2, 1048576, 'The largest payload of one event, of which each step that takes it gets a copy, in bytes.'),
  ('kept_results', 'integer', '1000', 1, 65535, 'The most results that a durable function keeps before it continues with a new state.'),
  ('kept_bytes', 'integer', '4194304', 1024, 268435456, 'The most that a durable function keeps before it continues with a new state, in bytes.'),
  ('claim_bytes', 'integer', '16777216', 1024, 268435456, 'The most that one claim returns, in bytes.'),
  ('lane_weight_high', 'integer', '8', 1, 1000, 'Share of a claim for steps with a priority above 0.'),
  ('lane_weight_normal', 'integer', '4', 1, 1000, 'Share of a claim for steps with priority 0.'),
  ('lane_weight_low', 'integer', '1', 1, 1000, 'Share of a claim for steps with a priority below 0.'),
  ('priority_age_factor', 'numeric', '0.1', 0, 1000000, 'Priority that a waiting task gains each hour.'),
  ('priority_retry_factor', 'numeric', '1', 0, 1000000, 'Priority that a task gains with each retry of its steps.'),
  ('priority_deadline_factor', 'numeric', '10', 0, 1000000, 'Priority that a task gains as its deadline approaches.'),
  ('stale_waiting_for_dependencies_minutes', 'integer', '60', 1, 5256000, 'Minutes without progress after which a task that waits for dependencies is stale.'),
  ('stale_waiting_for_retry_minutes', 'integer', '30', 1, 5256000, 'Minutes without progress after which a task that waits for a retry is stale.'),
  ('stale_steps_in_process_minutes', 'integer', '30', 1, 5256000, 'Minutes without progress after which a task with running steps is stale.'),
  ('stale_other_minutes', 'integer', '1440', 1, 5256000, 'Minutes without progress after which a task in any other open state is stale.'),
  ('discovery_lease_seconds', 'integer', '30', 1, 86400, 'How long discovery does not hand out a task again.'),
  ('finalization_lease_seconds', 'integer', '30', 1, 86400, 'How long an orchestrator''s claim for finalization lasts.'),
  ('fallback_poll_seconds', 'integer', '30', 1, 86400, 'How often a client polls for work without a notification.'),
  ('enforce_processor_ownership', 'boolean', 'false', null, null, 'Whether direct callers must own a task in an active state to move it.'),
  ('max_task_depth', 'integer', '100', 1, 10000, 'How many levels of tasks may start one another.'),
  ('max_task_tree', 'integer', '10000', 1, 10000000, 'About how many tasks may stand below one root; beyond it their steps start no other.'),
  ('list_reads', 'integer', '100000', 1000, 10000000, 'The most tasks that a list of tasks reads for filters without an index.'),
  ('uuid_tolerance_seconds', 'integer', '3600', 0, 86400, 'How far the time in a caller''s own task UUID may be from the server''s clock.'),
  ('session_idle_seconds', 'integer', '7200', 60, 2592000, 'How long a person who signed in may do nothing before the session ends.'),
  ('session_seconds', 'integer', '43200', 60, 2592000, 'How long a person''s session lasts at most.'),
  ('session_refresh_seconds', 'integer', '900', 10, 86400, 'How often a session asks the identity provider for the person''s groups.'),
  ('sign_in_again_seconds', 'integer', '900', 0, 86400, 'How old a person''s sign-in may be for what cannot be undone; 0 asks for no other sign-in.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/data/notify_setting.sql
-- down: delete from tasker.settings where name = 'notify';
insert into tasker.settings (name, kind, value, default_value, choices, description)
values (
  'notify', 'choice', 'asleep', 'asleep', '{always,asleep,off}',
  'When NOTIFY announces ready steps and tasks'' changes of state: always, only while a client sleeps, or never (off; clients poll). A namespace may have its own.'
);
-- <<<

-- >>> db/schema/tables/kernel/setting/settings_now.sql
create table tasker.settings_now (
  only_row             boolean  not null  default true,
  lease_seconds        integer  not null,
  max_lost             integer  not null,
  result_bytes         integer  not null,
  claim_bytes          integer  not null,
  lane_weight_high     numeric  not null,
  lane_weight_normal   numeric  not null,
  lane_weight_low      numeric  not null,
  backoff_base         numeric  not null,
  backoff_multiplier   numeric  not null,
  max_backoff_seconds  integer  not null,
  backoff_jitter       numeric  not null,
  any_bound            boolean  not null,
  kept_results         integer  not null,
  kept_bytes           bigint   not null,
  limited_handlers     text[],
  any_brokered         boolean  not null,
  paused_handlers      text[]   not null,
  handled_here         uuid[]   not null,
  context_bytes        integer  not null,
  notify               text     not null,
  any_announced             boolean  not null,
  covered_from         timestamptz,
  covered_until        timestamptz,

  constraint settings_now_pkey
    primary key (only_row),
  constraint settings_now_only_row_check
    check (only_row)
);

comment on table tasker.settings_now is
  'The settings and facts about namespaces, bindings and partitions that an exchange or a creation needs, in one row. Triggers of the tables behind these facts maintain the row. Never change the row by hand.';
comment on column tasker.settings_now.any_bound is
  'Whether some role is bound to namespaces.';
comment on column tasker.settings_now.limited_handlers is
  'The handlers whose steps name a limit. Claims for other handlers do not read limits. Null if there are more than a hundred such handlers. Claims for all handlers then read limits.';
comment on column tasker.settings_now.any_brokered is
  'Whether the column transport of some namespace is broker.';
comment on column tasker.settings_now.any_announced is
  'Whether the setting notify, or the column notify of some namespace, is all.';
comment on column tasker.settings_now.paused_handlers is
  'The handlers that are paused, each as namespace/named_step_uuid. Claims skip the steps of these handlers. In most databases the array is empty, and claims then check no pauses.';
comment on column tasker.settings_now.handled_here is
  'The handlers whose steps the database runs itself. A worker that names no handlers does not get their steps.';
comment on column tasker.settings_now.covered_from is
  'The beginning of the time, up to covered_until, that ranges of partitions cover without a gap. A creation in that time need not read the ranges. Null if no range has begun.';
-- <<<

-- >>> db/schema/functions/kernel/setting/private/setting.sql
create or replace function tasker.setting(p_name text)
  returns text
  language plpgsql
  stable
  parallel safe
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_value text;
begin
  select s.value
    into v_value
    from tasker.settings as s
   where s.name = p_name;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_settings() shows them all.';
  end if;
  return v_value;
end;
$$;

comment on function tasker.setting is
$$Returns the value of a setting as text. Raises TK404 if there is no setting of that name.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/private/setting_integer.sql
create or replace function tasker.setting_integer(p_name text)
  returns integer
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::integer;
end;

comment on function tasker.setting_integer is
$$Returns the value of a setting of kind integer. Raises TK404 if there is no setting of that name.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/private/setting_numeric.sql
create or replace function tasker.setting_numeric(p_name text)
  returns numeric
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::numeric;
end;

comment on function tasker.setting_numeric is
$$Returns the value of a setting of kind numeric. Raises TK404 if there is no setting of that name.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/private/setting_boolean.sql
create or replace function tasker.setting_boolean(p_name text)
  returns boolean
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::boolean;
end;

comment on function tasker.setting_boolean is
$$Returns the value of a setting of kind boolean. Raises TK404 if there is no setting of that name.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/get_setting.sql
create or replace function tasker.get_setting(p_name text)
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.setting(p_name);
end;
$$;

comment on function tasker.get_setting is
$$Returns the value of a setting, as text. Raises TK404 if there is no setting of that name.$$;

grant execute on function tasker.get_setting
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/setting/list_settings.sql
create or replace function tasker.list_settings()
  returns setof tasker.settings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasker.settings as s
   order by s.name;
end;
$$;

comment on function tasker.list_settings is
$$Returns all settings by name: value, default, bounds, purpose, and the role and time of the last change.$$;

grant execute on function tasker.list_settings
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/administration/set_setting.sql
create or replace function tasker.set_setting(
  p_name    text,
  p_value   text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting tasker.settings;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  select s.*
    into v_setting
    from tasker.settings as s
   where s.name = p_name
     for update;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_settings() shows them all.';
  end if;

  p_value := coalesce(p_value, v_setting.default_value);
  if not tasker.setting_accepts(v_setting.kind, v_setting.minimum, v_setting.maximum, v_setting.choices, p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('setting "%s" cannot be "%s"', p_name, left(p_value, 100)),
      detail  = case v_setting.kind
        when 'boolean' then 'It must be true or false.'
        when 'choice' then format('It must be one of %s.', array_to_string(v_setting.choices, ', '))
        when 'tenant' then 'It must be none, tag: with the beginning of a tag, or context: with a path such as customer.id.'
        when 'link' then 'It must be an address that begins with http:// or https://; {kind} in it becomes the kind of the incident.'
        else format('It must be of kind %s, from %s to %s.', v_setting.kind, v_setting.minimum, v_setting.maximum)
      end,
      hint    = format('The default is %s.', v_setting.default_value);
  end if;

  update tasker.settings as s
     set value      = p_value,
         changed_at = tasker.clock(),
         changed_by = tasker.recorded_caller()
   where s.name = p_name
     and s.value <> p_value;
  return v_setting.value;
end;
$$;

comment on function tasker.set_setting is
$$Changes a setting and returns its previous value. A null value restores the default. The new value applies from the
next call of any function.

Idempotent. Locks the setting's row. Raises TK404 if there is no setting of that name, TK422 if the value is of another
kind or out of range, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.set_setting to tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000100', 'roles 6611399e8141a07a
tasker a84cd52961ec3e2a
tasker_sql eeb2d2fbee51ff88
');

insert into tasker.schema_builds (version, files) values ('20261121000200', 'data/native_uuid_v7 5f805e7651b5ff08
data/notify_setting 0cf4400b2ecdd1fa
data/settings a045f35f4e3656e5
functions/kernel/access/private/actor_name 898e9801aad05330
functions/kernel/access/private/caller_name d2f95263359bde98
functions/kernel/access/private/is_scoped d2c0b34390bebce3
functions/kernel/access/private/narrowed e73d96a7b8001912
functions/kernel/access/private/raise_other_worker 9727e646b22115d0
functions/kernel/access/private/recorded_caller 29c185eccf779dfa
functions/kernel/access/private/session_scope e4d7b0a9b63de005
functions/kernel/access/private/set_role 50ea8e59b2808192
functions/kernel/access/private/token_name 35821b27b70b153a
functions/kernel/ident/clock daa35cd0282d0b8d
functions/kernel/ident/is_task_uuid 5e1f38e1891f2b66
functions/kernel/ident/private/is_step_uuid 2f98953c2a6fcc6a
functions/kernel/ident/private/uuid_v7_floor e36fb8cf4c0f2a1a
functions/kernel/ident/private/uuid_v7_time 256af9cccea86750
functions/kernel/ident/private/write_clock 31da0cfdc22eee4f
functions/kernel/ident/step_no_of 9b7a1963292456f4
functions/kernel/ident/step_uuid 470a8a03bb5761e2
functions/kernel/ident/task_uuid_of 655cf78fe5e50bce
functions/kernel/ident/transition_uuid 25eb60cbfb2ec4f9
functions/kernel/ident/uuid_generate_v7 9978b2d848a89632
functions/kernel/setting/get_setting 7994f37913b2b087
functions/kernel/setting/list_settings 06a974e61a0f5dd6
functions/kernel/setting/private/setting 0579a5ffa94f412b
functions/kernel/setting/private/setting_accepts 4ac9be025bcbba1c
functions/kernel/setting/private/setting_boolean dacca79885d0f06f
functions/kernel/setting/private/setting_integer 697a3bbb15b43307
functions/kernel/setting/private/setting_numeric a4e767553c953d82
functions/kernel/time/private/utc_text 3d362e99d0202670
functions/operate/administration/set_setting 9b2b9fef790413ac
privileges d0247b69e1bf1805
rows/kernel/timer/fire_budgets e4fd6751c3472d53
tables/kernel/setting/settings b43c0ea2571f2826
tables/kernel/setting/settings_now 2c4c6810dba74a82
tables/operate/audit/schema_objects 2e007ae43f03db4d
tables/operate/doctor/schema_builds e8ad6e0c30d3d5af
types/backoff_base 7d322d62797fe082
types/backoff_limit 7ebcd7dc186535b3
types/backoff_multiplier 7f5d67743ba98f58
types/call_answer 94df1fa6a2785e91
types/delivery b2b1fd4eb3959a18
types/join_mode 01a3726df6be46a4
types/lease_answer 454fa22e0d02e3cc
types/log_duration be8248b9d51695d6
types/place b46ac2de52cab08d
types/queue_lane 6cbebb9e796993a1
types/result_answer 0645bc9072ee5ac0
types/step_path ac04711fe730b4a0
types/step_state 328cc76281948f8c
types/task_path bff044f87cf73e14
types/task_state 5cf528689081a989
types/timer_kind 8ec946d5e80b92a8
types/worker_name 62314372f6ba1ed7
types/worker_version 84794a07a64ba382
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

drop function tasker.set_setting;
drop function tasker.list_settings;
drop function tasker.get_setting;
drop function tasker.setting_boolean;
drop function tasker.setting_numeric;
drop function tasker.setting_integer;
drop function tasker.setting;
drop table tasker.settings_now;
delete from tasker.settings where name = 'notify';
delete from tasker.settings;
drop table tasker.settings;
drop function tasker.setting_accepts;
drop function tasker.session_scope;
drop function tasker.narrowed;
drop function tasker.is_scoped;
drop function tasker.recorded_caller;
drop function tasker.actor_name;
drop function tasker.token_name;
drop function tasker.raise_other_worker;
drop function tasker.set_role;
drop function tasker.caller_name;
drop function tasker.utc_text;
drop function tasker.write_clock;
drop function tasker.clock;
drop function tasker.transition_uuid;
drop function tasker.is_step_uuid;
drop function tasker.step_uuid;
drop function tasker.step_no_of;
drop function tasker.task_uuid_of;
drop function tasker.is_task_uuid;
drop function tasker.uuid_v7_time;
drop function tasker.uuid_v7_floor;
drop function tasker.uuid_generate_v7;
drop type tasker.delivery;
drop type tasker.call_answer;
drop type tasker.lease_answer;
drop type tasker.result_answer;
drop domain tasker.worker_version;
drop domain tasker.worker_name;
drop domain tasker.place;
drop domain tasker.backoff_limit;
drop domain tasker.backoff_multiplier;
drop domain tasker.backoff_base;
drop domain tasker.join_mode;
drop view tasker.fire_budgets;
drop type tasker.timer_kind;
drop type tasker.queue_lane;
drop domain tasker.log_duration;
drop domain tasker.step_path;
drop type tasker.step_state;
drop domain tasker.task_path;
drop type tasker.task_state;
alter default privileges grant execute on functions to public;
drop table tasker.schema_objects;
drop table tasker.schema_builds;

reset role;
