-- registry: namespaces, task templates and their graphs
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/kernel/template/task_namespaces.sql
create table tasker.task_namespaces (
  task_namespace_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name                 text         not null,
  description          text,
  paused_at            timestamptz,
  paused_by            text,
  paused_login         text,
  paused_role          text,
  transport            text         not null  default 'table',
  notify               text,
  priority_modifier    numeric      not null  default 0,
  created_at           timestamptz  not null  default tasker.clock(),
  updated_at           timestamptz  not null  default tasker.clock(),

  constraint task_namespaces_pkey
    primary key (task_namespace_uuid),
  constraint task_namespaces_name_key
    unique (name),
  constraint task_namespaces_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,28}$'),
  constraint task_namespaces_paused_check
    check ((paused_at is null) = (paused_by is null)),
  constraint task_namespaces_transport_check
    check (transport in ('table', 'pgmq', 'broker')),
  constraint task_namespaces_notify_check
    check (notify in ('always', 'asleep', 'off'))
);

comment on table tasker.task_namespaces is
  'A namespace groups task templates and has its own worker queue.';
comment on column tasker.task_namespaces.name is
  'At most 29 characters, so that its queue''s and its channel''s name fit into an identifier.';
comment on column tasker.task_namespaces.paused_by is
  'The name of the caller that paused the namespace, as the caller gave it. paused_login is the role that was logged in, and paused_role is the role that it had set if that is another.';
comment on column tasker.task_namespaces.transport is
  'table: workers claim from tasker.step_queue only; pgmq: each enqueued step is also announced by a message; broker: a relay publishes ready steps, and workers claim those that messages bring.';
comment on column tasker.task_namespaces.notify is
  'The times when NOTIFY announces the namespace''s ready steps and its tasks'' changes. Null means the setting notify.';
-- <<<

-- >>> db/schema/tables/kernel/access/role_bindings.sql
create table tasker.role_bindings (
  role       regrole      not null,
  namespace  text         not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.recorded_caller(),

  constraint role_bindings_pkey
    primary key (role, namespace),
  constraint role_bindings_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

create index role_bindings_namespace_idx
  on tasker.role_bindings (namespace);

comment on index tasker.role_bindings_namespace_idx is
  'Serves the foreign key to task_namespaces.';

comment on table tasker.role_bindings is
  'The namespaces that a database role is bound to. While this table is empty, no role is bound.';
comment on column tasker.role_bindings.role is
  'The oid of the role, so that a renamed role stays bound. A dump has the name, so that a restored role stays bound, too.';
-- <<<

-- >>> db/schema/tables/kernel/lock/turns.sql
create table tasker.turns (
  name  text  not null,

  constraint turns_pkey
    primary key (name)
);

comment on table tasker.turns is
  'Duties that only one session may do at a time. A session takes its turn by locking the row. An advisory lock would not be safe, because any role could take it. Only the owner has the right to lock this row.';

insert into tasker.turns (name)
values ('maintenance'), ('partitions'), ('role_bindings'), ('subscriptions');
-- <<<

-- >>> db/schema/functions/kernel/access/private/role_namespaces.sql
create or replace function tasker.role_namespaces(p_role oid)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from pg_roles as r where r.oid = p_role and r.rolsuper) then
    return null;
  end if;

  -- A member of a group is bound as the group is. The exception is a member that may only grant the group to other
  -- roles: since PostgreSQL 16 the creator of a role has this right.
  return (
    select array_agg(distinct b.namespace order by b.namespace)
      from tasker.role_bindings as b
     where b.role = p_role
        or pg_has_role(p_role, b.role, 'usage')
        or pg_has_role(p_role, b.role, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
  );
end;
$$;

comment on function tasker.role_namespaces is
$$Returns the namespaces that a role is bound to, itself or by the groups that it may act as. Returns null if the role is not bound. Superusers are not bound.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/named_role_namespaces.sql
create or replace function tasker.named_role_namespaces(p_role text)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role oid := to_regrole(quote_ident(p_role));
begin
  if p_role is null then
    return null;
  end if;
  return case when v_role is null then '{}' else tasker.role_namespaces(v_role) end;
end;
$$;

comment on function tasker.named_role_namespaces is
$$Returns the namespaces that the role of this name is bound to now. Returns null if the role is not bound, and an empty array if there is no such role. A recorded name may belong to another role by now, so also record the namespaces of the session when you record a name.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/bound_namespaces.sql
create or replace function tasker.bound_namespaces()
  returns text[]
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_login text[];
  v_role  text[];
  v_bound text[];
begin
  -- Most databases bind no role.
  if exists (select from tasker.role_bindings) then
    v_login := tasker.role_namespaces(to_regrole(quote_ident(session_user)));
    -- A role that was renamed or dropped after SET ROLE is unknown, and may see nothing.
    v_role := tasker.named_role_namespaces(nullif(current_setting('role'), 'none'));
    v_bound := tasker.narrowed(v_login, v_role);
  end if;
  return tasker.narrowed(v_bound, tasker.session_scope());
end;
$$;

comment on function tasker.bound_namespaces is
$$Returns the namespaces that the caller is bound to, null if it may work in all.

The login role (session_user) decides: the caller may work in the namespaces that are bound to this role or to a group that it may act as. SET ROLE can only remove namespaces: the session keeps the namespaces that both roles have. The setting tasker.namespaces, a list separated by commas, can also only remove namespaces: "*" or an empty value removes none, "-" removes all. Superusers are bound only by that setting. Behind a connection pool, session_user is the login role of the pool.$$;

grant execute on function tasker.bound_namespaces
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/access/may_see_task.sql
create or replace function tasker.may_see_task(p_task_uuid uuid)
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
  v_bound text[] := tasker.bound_namespaces();
begin
  if v_bound is null then
    return true;
  end if;
  return exists (
    select
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = tasker.task_uuid_of(p_task_uuid)
       and n.name = any (v_bound)
  );
end;
$$;

comment on function tasker.may_see_task is
$$Returns true if a task, or the task of a step, is in a namespace that the caller may work in. If the caller is not bound, returns true for every UUID.$$;

grant execute on function tasker.may_see_task
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/access/private/raise_not_bound.sql
create or replace function tasker.raise_not_bound(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_token text   := tasker.token_name();
  v_who   text   := case
    when v_token is null then format('role "%s"', tasker.caller_name())
    when v_token like 'person %' then v_token
    else format('token "%s"', v_token)
  end;
begin
  raise exception using
    errcode = 'TK403',
    message = case
      when p_namespace is null then format('%s may not make calls that concern all namespaces', v_who)
      else format('%s may not work in namespace "%s"', v_who, left(p_namespace, 100))
    end,
    detail  = format('It is bound to %s.', case
      when cardinality(v_bound) = 0 then 'no namespace'
      else array_to_string(v_bound[:10], ', ') || case when cardinality(v_bound) > 10 then ', …' else '' end
    end),
    hint    = case
      when v_token like 'person %' then 'An operator gives people access to namespaces with tasker access map.'
      when v_token is not null then 'An operator makes a token for other namespaces with tasker token create.'
      when tasker.is_scoped() then 'The session''s setting tasker.namespaces restricts it; * lifts the restriction.'
      else 'An operator binds it with tasker.bind_role(role, namespaces).'
    end;
end;
$$;

comment on function tasker.raise_not_bound is
$$Raises TK403, because the caller is not bound to this namespace. Null means a call that concerns all namespaces.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_bound_namespaces.sql
create or replace function tasker.check_bound_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) then
    return;
  end if;
  v_bound := tasker.bound_namespaces();
  if v_bound is null or p_namespaces <@ v_bound then
    return;
  end if;
  perform tasker.raise_not_bound(u.namespace)
     from unnest(p_namespaces) as u (namespace)
    where u.namespace is not null
      and not u.namespace = any (v_bound);
end;
$$;

comment on function tasker.check_bound_namespaces is
$$Raises TK403 if the caller is not bound to all of these namespaces. Skips null elements.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_bound_steps.sql
create or replace function tasker.check_bound_steps(p_uuids uuid[])
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
  -- Few roles are bound, so most calls need not read the steps.
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) or tasker.bound_namespaces() is null then
    return;
  end if;

  perform tasker.check_bound_namespaces(array_agg(distinct n.name))
     from unnest(p_uuids) as u (uuid)
     join tasker.tasks as t
       on t.task_uuid = tasker.task_uuid_of(u.uuid)
     join tasker.named_tasks as k
       on k.named_task_uuid = t.named_task_uuid
     join tasker.task_namespaces as n
       on n.task_namespace_uuid = k.task_namespace_uuid;
end;
$$;

comment on function tasker.check_bound_steps is
$$Raises TK403 if the caller is not bound to the namespaces of all these steps or tasks. Skips steps and tasks that do not exist.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_bound.sql
create or replace function tasker.check_bound(p_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    perform tasker.check_bound_steps(array[p_uuid]);
  end if;
end;
$$;

comment on function tasker.check_bound is
$$Raises TK403 if the caller is not bound to the namespace of this task, or of this step's task.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_bound_dlq_entry.sql
create or replace function tasker.check_bound_dlq_entry(p_dlq_entry_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (tasker.is_scoped() or exists (select from tasker.role_bindings)) and tasker.bound_namespaces() is not null then
    perform tasker.check_bound_namespaces(array[d.task_snapshot #>> '{task,namespace}'])
       from tasker.tasks_dlq as d
      where d.dlq_entry_uuid = p_dlq_entry_uuid;
  end if;
end;
$$;

comment on function tasker.check_bound_dlq_entry is
$$Raises TK403 if the caller is not bound to the namespace of this dead letter's task, even if that task no longer exists.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_unbound.sql
create or replace function tasker.check_unbound()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (tasker.is_scoped() or exists (select from tasker.role_bindings)) and tasker.bound_namespaces() is not null then
    perform tasker.raise_not_bound(null);
  end if;
end;
$$;

comment on function tasker.check_unbound is
$$Raises TK403 if the caller is bound to namespaces, because the call concerns all namespaces.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/may_use_queue.sql
create or replace function tasker.may_use_queue(p_queue_name text, p_privilege text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_caller    name     := tasker.caller_name();
  v_namespace text     := substring(p_queue_name from '^worker_([a-z][a-z0-9_]*)_queue(?:_high|_low)?$');
  v_bound     text[]   := tasker.bound_namespaces();
begin
  if v_bound is not null then
    if v_namespace = any (v_bound) then
      return true;
    end if;
  elsif v_namespace is not null
     or p_queue_name = 'orchestration_task_requests' and p_privilege = 'insert'
     or p_privilege = 'select' and pg_has_role(v_caller, 'tasker_reader', 'usage')
     or pg_has_role(v_caller, 'tasker_orchestrator', 'usage')
     or pg_has_role(v_caller, 'tasker_operator', 'usage') then
    return true;
  end if;

  -- A caller with rights on the queue's table may use them through pgtasker too.
  if not has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    return false;
  end if;
  return coalesce(
    has_table_privilege(v_caller, to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name))), p_privilege), false
  );
end;
$$;

comment on function tasker.may_use_queue is
$$Returns true if the caller may send to (insert), read (select), take from (update) or empty (delete) a queue. A role may use the queues of its namespaces. If they are not bound, orchestrators and operators may use all queues that tasker_owner may use, readers may read these queues, and any role may send task requests. A role may also use its rights on the queue's table.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_queue_right.sql
create or replace function tasker.check_queue_right(p_queue_name text, p_privilege text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not tasker.may_use_queue(p_queue_name, p_privilege) then
    raise exception using
      errcode = 'TK403',
      message = format('role "%s" may not use queue %s', tasker.caller_name(), coalesce('"' || left(p_queue_name, 100) || '"', 'null')),
      detail  = coalesce(
        'It is bound to ' || nullif(array_to_string((tasker.bound_namespaces())[:10], ', '), '') || '.',
        'Workers and submitters may use the queues worker_<namespace>_queue, and their own.'
      ),
      hint    = 'Grant it rights on the table of the queue, or let an orchestrator do it.';
  end if;
end;
$$;

comment on function tasker.check_queue_right is
$$Raises TK403 if tasker.may_use_queue returns false.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/refuse_recovery.sql
create or replace function tasker.refuse_recovery()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Without this check, the first read of an unlogged table would raise 0A000.
  if pg_is_in_recovery() then
    delete from tasker.turns as t where false;
  end if;
end;
$$;

comment on function tasker.refuse_recovery is
$$Raises 25006 on a standby, as every writing statement there does. Functions that use an unlogged table before they write call this function.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_text_size.sql
create or replace function tasker.check_text_size(p_name text, p_text text, p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if length(p_text) > p_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the %s is longer than %s characters', p_name, p_limit),
      detail  = format('It has %s characters.', length(p_text)),
      hint    = 'Store long texts elsewhere and pass a reference.';
  end if;
end;
$$;

comment on function tasker.check_text_size is
$$Raises TK413 if a text is longer than p_limit characters.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_given_name.sql
create or replace function tasker.check_given_name(p_name text, p_text text, p_limit integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_text is null then
    return;
  end if;
  perform tasker.check_text_size(p_name, p_text, p_limit);
  if p_text ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s has a line break or another control character', p_name),
      hint    = 'It is a name of one line, which histories show.';
  elsif p_text ~* '(^|,)\s*((token|schedule|person)\M|task\s+[0-9a-f]{8}-)'
        -- tasker serve sets the name of the token or of the person itself.
        and p_text is distinct from (case when tasker.token_name() like 'person %' then '' else 'token ' end || tasker.token_name()) then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be "%s"', p_name, left(p_text, 100)),
      detail  = 'Histories name tokens, people who signed in, schedules and tasks so.',
      hint    = 'Name the person or the program, without "token", "person", "schedule" or a task at the beginning.';
  end if;
end;
$$;

comment on function tasker.check_given_name is
$$Raises TK413 if the name that a caller gives itself is longer than p_limit characters (null: no limit). Raises TK422 if the name has control characters or looks like a name that the engine assigns, unless it is the name of the caller's own token.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/is_too_deep.sql
create or replace function tasker.is_too_deep(p_value jsonb)
  returns boolean
  language sql
  stable
  parallel safe
begin atomic
  -- Each level takes at least eight bytes, so small values need no walk. A value from a table may be compressed.
  select (pg_column_size(p_value) > 8000 or pg_column_compression(p_value) is not null)
    and jsonb_path_exists(p_value, 'strict $.**{1000} ? (@.type() == "object" || @.type() == "array")');
end;

comment on function tasker.is_too_deep is
$$Returns whether objects and arrays are nested deeper than 1,000 levels in a value that a client has sent. PostgreSQL can read much deeper values. So the engine can nest the value in another value without exceeding the limit of PostgreSQL. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_depth.sql
create or replace function tasker.check_depth(p_name text, p_value jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.is_too_deep(p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('the %s is nested deeper than 1,000 levels', p_name),
      hint    = 'Flatten it, or pass it as a text.';
  end if;
end;
$$;

comment on function tasker.check_depth is
$$Raises TK422 if objects and arrays are nested deeper than 1,000 levels in a value.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_array_size.sql
create or replace function tasker.check_array_size(p_name text, p_size integer, p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_size > p_limit then
    raise exception using
      errcode = 'TK413',
      message = format('%s %s are too many for one call', p_size, p_name),
      detail  = format('The limit is %s.', p_limit),
      hint    = 'Split them into several calls.';
  end if;
end;
$$;

comment on function tasker.check_array_size is
$$Raises TK413 if a list of arguments has more than p_limit elements.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_period.sql
create or replace function tasker.check_period(p_name text, p_period interval)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_period not between interval '-1000 years' and interval '1000 years' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be %s', p_name, p_period),
      hint    = 'It must be at most a thousand years.';
  end if;
end;
$$;

comment on function tasker.check_period is
$$Raises TK422 for an interval longer than a thousand years, which could not be added to a time.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_instant.sql
create or replace function tasker.check_instant(p_name text, p_instant timestamptz)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_instant not between timestamptz '0001-01-01 00:00:00Z' and timestamptz '9999-12-31 23:59:59Z' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be %s', p_name, p_instant),
      hint    = 'Times must be within the years 1 to 9999.';
  end if;
end;
$$;

comment on function tasker.check_instant is
$$Raises TK422 for a time outside the years 1 to 9999, because arithmetic with it could overflow.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/describe_lock_holder.sql
create or replace function tasker.describe_lock_holder(p_xid xid, p_table oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  boolean := tasker.bound_namespaces() is not null;
  v_holder text;
begin
  select format(
      'Process %s%s has it locked, in a transaction since %s.',
      l.pid, case when not v_bound then format(' of role "%s"', a.usename) end, coalesce(a.xact_start::text, 'unknown')
    )
    into v_holder
    from pg_locks as l
    left join pg_stat_activity as a
      on a.pid = l.pid
   where l.locktype = 'transactionid'
     and l.transactionid = p_xid
     and l.granted
   limit 1;
  if v_holder is null then
    -- If the number belongs to a subtransaction, find its transaction, which has an older number and does not wait
    -- itself.
    select format(
        'Process %s%s may have it locked, in a transaction since %s.',
        l.pid, case when not v_bound then format(' of role "%s"', a.usename) end, coalesce(a.xact_start::text, 'unknown')
      )
      into v_holder
      from pg_locks as l
      join pg_stat_activity as a
        on a.pid = l.pid
      join pg_locks as x
        on x.pid = l.pid
       and x.locktype = 'transactionid'
       and x.granted
     where l.locktype = 'relation'
       and l.database = (select d.oid from pg_database as d where d.datname = current_database())
       and l.relation = p_table
       and l.mode in ('RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock', 'AccessExclusiveLock')
       and l.granted
       and l.pid <> pg_backend_pid()
       and age(x.transactionid) >= age(p_xid)
       and not exists (select from pg_locks as w where w.pid = l.pid and not w.granted)
     order by age(x.transactionid)
     limit 1;
  end if;
  return coalesce(v_holder, 'The transaction that held it has ended meanwhile.');
end;
$$;

comment on function tasker.describe_lock_holder is
$$Returns a sentence about the transaction that holds a row: it names the process and, unless the caller is bound to namespaces, the role. The row is given by its xmax and its table.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/take_turn.sql
create or replace function tasker.take_turn(p_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
as $$
begin
  perform from tasker.turns as t where t.name = p_name for update;
exception
  when lock_not_available then
    raise exception using
      errcode = 'TK409',
      message = format('another session has held the turn "%s" for longer than 5 seconds', p_name),
      detail  = (select tasker.describe_lock_holder(t.xmax, t.tableoid) from tasker.turns as t where t.name = p_name),
      hint    = 'Try again when its transaction has ended, or end it with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.take_turn is
$$Waits for a turn and holds it until the transaction ends. Raises TK409, with the process that holds the turn, if it has waited 5 seconds.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/try_turn.sql
create or replace function tasker.try_turn(p_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from tasker.turns as t where t.name = p_name for update skip locked;
  return found;
end;
$$;

comment on function tasker.try_turn is
$$Takes a turn if no other session holds it, and holds the turn until the transaction ends. Returns true if it took the turn.$$;
-- <<<

-- >>> db/schema/tables/operate/tokens/access_tokens.sql
create table tasker.access_tokens (
  name        text         not null,
  token_hash  bytea        not null,
  role        regrole      not null,
  namespaces  text[]       not null,
  created_at  timestamptz  not null  default tasker.clock(),
  created_by  text         not null  default tasker.actor_name(null),
  expires_at  timestamptz,
  revoked_at  timestamptz,
  revoked_by  text,

  constraint access_tokens_pkey
    primary key (name),
  constraint access_tokens_token_hash_key
    unique (token_hash),
  constraint access_tokens_name_check
    check (name ~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$'),
  constraint access_tokens_token_hash_check
    check (octet_length(token_hash) = 32),
  constraint access_tokens_revoked_check
    check ((revoked_at is null) = (revoked_by is null))
);

comment on table tasker.access_tokens is
  'The tokens that tasker serve accepts. A row remains after its token is revoked, so that a name in a history always means the same token.';
comment on column tasker.access_tokens.token_hash is
  'SHA-256 of the token, which is 32 random bytes and is not stored anywhere.';
comment on column tasker.access_tokens.role is
  'The oid of the role, so that a renamed role stays the same role.';
comment on column tasker.access_tokens.namespaces is
  'The namespaces that requests with this token are bound to. "*" alone means all namespaces. An empty array means no namespace.';
-- <<<

-- >>> db/schema/rows/operate/tokens/token_details.sql
create or replace view tasker.token_details as
select
  ''::text as name,
  ''::text as role_name,
  '{}'::text[] as namespaces,
  ''::text as status,
  '-infinity'::timestamptz as created_at,
  ''::text as created_by,
  null::timestamptz as expires_at,
  null::timestamptz as revoked_at,
  null::text as revoked_by
where false;

comment on view tasker.token_details is
  'Row type: an access token without its hash.';
comment on column tasker.token_details.namespaces is
  'The namespaces that the access covers. "*" alone means all namespaces. An empty array means no namespace.';
comment on column tasker.token_details.status is
  'valid, expired, revoked, or unusable: the token''s role does not exist any longer, or a token may no longer have that role.';
-- <<<

-- >>> db/schema/functions/operate/tokens/private/token_role_problem.sql
create or replace function tasker.token_role_problem(p_role oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups oid[] := array[
    'tasker_submitter'::regrole, 'tasker_worker'::regrole, 'tasker_orchestrator'::regrole,
    'tasker_operator'::regrole, 'tasker_reader'::regrole
  ]::oid[];
  v_other  text;
begin
  if p_role = any (v_groups) then
    return null;
  elsif p_role = 'tasker_owner'::regrole then -- tasker_owner may be a member, because a role for SQL steps is granted to it.
    return 'it owns the schema';
  elsif not exists (
    select
      from pg_auth_members as m
     where m.member = p_role
       and m.roleid = any (v_groups)
  ) then
    return 'it is not one of tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator and tasker_reader, and not a member of any of them';
  elsif exists (
    select
      from pg_roles as r
     where r.oid = p_role
       and (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls)
  ) then
    return 'it has rights of its own: superuser, createrole, createdb, replication or bypassrls';
  end if;

  with recursive above (role) as (
    select p_role
    union
    select m.roleid
      from above as a
      join pg_auth_members as m
        on m.member = a.role
  )
  select r.rolname
    into v_other
    from above as a
    join pg_roles as r
      on r.oid = a.role
   where a.role <> p_role
     and not a.role = any (v_groups)
   order by r.rolname
   limit 1;
  return format('it is a member of %s', v_other) where v_other is not null;
end;
$$;

comment on function tasker.token_role_problem is
$$Returns why a token cannot have this role, or null if it can. The role of a token must be one of pgtasker's groups.
The role can also be a member of only these groups that has no other rights.$$;
-- <<<

-- >>> db/schema/functions/operate/tokens/private/describe_token.sql
create or replace function tasker.describe_token(p_token tasker.access_tokens)
  returns tasker.token_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return row(
    p_token.name,
    pg_get_userbyid(p_token.role)::text,
    p_token.namespaces,
    case
      when p_token.revoked_at is not null then 'revoked'
      when p_token.expires_at <= tasker.clock() then 'expired'
      when tasker.token_role_problem(p_token.role) is not null then 'unusable'
      else 'valid'
    end,
    p_token.created_at,
    p_token.created_by,
    p_token.expires_at,
    p_token.revoked_at,
    p_token.revoked_by
  )::tasker.token_details;
end;
$$;

comment on function tasker.describe_token is
$$Returns the columns of a token that people may see, and whether the token is accepted now.$$;
-- <<<

-- >>> db/schema/functions/operate/tokens/private/ending_tokens.sql
create or replace function tasker.ending_tokens()
  returns setof tasker.access_tokens
  language sql
  stable
begin atomic
  select t.*
    from tasker.access_tokens as t
   where t.revoked_at is null
     and t.expires_at > tasker.clock()
     and t.expires_at <= tasker.clock() + interval '7 days';
end;

comment on function tasker.ending_tokens is
$$Returns the tokens that are valid now and expire within a week.$$;
-- <<<

-- >>> db/schema/functions/operate/tokens/list_tokens.sql
create or replace function tasker.list_tokens()
  returns setof tasker.token_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select d.*
    from tasker.access_tokens as t
   cross join lateral tasker.describe_token(t) as d
   order by t.name;
end;
$$;

comment on function tasker.list_tokens is
$$Returns the tokens that "tasker serve" accepts or has accepted, by name. Raises TK403 if the caller is bound to
namespaces.$$;

grant execute on function tasker.list_tokens to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/create_token.sql
create or replace function tasker.create_token(
  p_name        text,
  p_token_hash  bytea,
  p_role_name   text,
  p_namespaces  text[],
  p_expires_at  timestamptz  default null,
  p_actor       text         default null,
  p_reason      text         default null
)
  returns setof tasker.token_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_problem text;
  v_token   tasker.access_tokens;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'A token has one of the roles tasker_reader, tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator.';
  end if;
  v_problem := tasker.token_role_problem(v_role);
  v_problem := case
    when p_name is null or p_name !~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$'
      then format('a token cannot be called %s', coalesce('"' || left(p_name, 100) || '"', 'null'))
    when p_token_hash is null or octet_length(p_token_hash) <> 32 then 'the hash of a token has 32 bytes'
    when v_problem is not null then format('a token cannot have role "%s": %s', p_role_name, v_problem)
    when p_namespaces is null or array_ndims(p_namespaces) > 1 then 'the namespaces of a token are a list'
    when p_expires_at <= tasker.clock() then 'a token cannot expire before now'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'See docs/serve.md: a name of letters, digits and ._@-, the SHA-256 of 32 random bytes, a role of pgtasker''s, namespaces or {*} for all.';
  end if;
  perform tasker.check_instant('time of expiry', nullif(p_expires_at, 'infinity'));
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  if p_namespaces <> '{*}' then
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  insert into tasker.access_tokens (name, token_hash, role, namespaces, expires_at)
  values (
    p_name, p_token_hash, v_role::regrole,
    array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1),
    nullif(p_expires_at, 'infinity')
  )
      on conflict do nothing
  returning *
    into v_token;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = format('there is a token called "%s", or with the same secret, already', p_name),
      hint    = 'Names are used once, so that histories stay unambiguous: choose another.';
  end if;
  return next tasker.describe_token(v_token);
end;
$$;

comment on function tasker.create_token is
$$Lets "tasker serve" accept a token. The database gets only the SHA-256 of the token. Requests with the token act as
the role p_role_name in p_namespaces. {*} means all namespaces, and an empty list means no namespace. Without
p_expires_at the token is valid until it is revoked.

Locks the row that it inserts. Raises TK404 if there is no such role or namespace. Raises TK422 for an argument that is
malformed or a role that is not pgtasker's. Raises TK409 if the name was used before, and TK403 if the caller itself is
bound to namespaces.$$;

grant execute on function tasker.create_token to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/revoke_token.sql
create or replace function tasker.revoke_token(p_name text, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  update tasker.access_tokens as t
     set revoked_at = tasker.clock(),
         revoked_by = tasker.actor_name(p_actor)
   where t.name = p_name
     and t.revoked_at is null;
  if found then
    return true;
  end if;
  if not exists (select from tasker.access_tokens as t where t.name = p_name) then
    raise exception using
      errcode = 'TK404',
      message = format('there is no token called %s', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_tokens() shows them all.';
  end if;
  return false;
end;
$$;

comment on function tasker.revoke_token is
$$Revokes a token, so that "tasker serve" refuses it from the next request on. Returns true if this call revoked the
token, and false if the token was revoked before.

Locks the token's row. Raises TK404 if there is no such token, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.revoke_token to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/authenticate_token.sql
create or replace function tasker.authenticate_token(p_token_hash bytea)
  returns setof tasker.token_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token tasker.token_details;
begin
  select d.*
    into v_token
    from tasker.access_tokens as t
   cross join lateral tasker.describe_token(t) as d
   where t.token_hash = p_token_hash;
  if v_token.status = 'valid' then
    return next v_token;
    return;
  end if;

  raise exception using
    errcode = 'TK401',
    message = case v_token.status
      when 'expired' then format('token "%s" has expired', v_token.name)
      when 'revoked' then format('token "%s" has been revoked', v_token.name)
      when 'unusable' then format('token "%s" cannot be used any more: its role has changed', v_token.name)
      else 'the token is not known'
    end,
    hint    = 'An operator makes tokens with tasker token create.';
end;
$$;

comment on function tasker.authenticate_token is
$$Returns the token with this hash. Raises TK401 if there is no such token, or if it has expired or has been revoked.$$;

grant execute on function tasker.authenticate_token to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/tokens/assume_token.sql
create or replace function tasker.assume_token(p_token_hash bytea)
  returns setof tasker.token_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token tasker.token_details;
begin
  select a.* into v_token from tasker.authenticate_token(p_token_hash) as a;
  perform set_config('tasker.token', v_token.name, true);
  perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_token.namespaces, ','), ''), '-'), true);
  perform set_config('role', v_token.role_name, true);
  return next v_token;
end;
$$;

comment on function tasker.assume_token is
$$Lets the rest of this transaction act as the token with this hash: with the token's role (SET LOCAL ROLE), in its namespaces, and under its name in histories. All of that ends with the transaction. Returns the token.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK401 as tasker.authenticate_token does, and 42501 if the login is not a member of the token's role.$$;

grant execute on function tasker.assume_token to tasker_server;
-- <<<

-- >>> db/schema/tables/operate/sessions/access_maps.sql
create table tasker.access_maps (
  claim       text         not null,
  value       text         not null,
  role        regrole      not null,
  namespaces  text[]       not null,
  created_at  timestamptz  not null  default tasker.clock(),
  updated_by  text         not null  default tasker.actor_name(null),

  constraint access_maps_pkey
    primary key (claim, value),
  constraint access_maps_claim_check
    check (length(claim) between 1 and 200),
  constraint access_maps_value_check
    check (length(value) between 1 and 500)
);

comment on table tasker.access_maps is
  'The access of people who sign in. A row gives people whose claim has the given value a role in the given namespaces. A person to whom no row applies has no access.';
comment on column tasker.access_maps.claim is
  'The name of a claim of the identity provider, such as groups. A dot leads to a member of an object, as in realm_access.roles.';
comment on column tasker.access_maps.value is
  'The value that the claim must have, or must contain if it is an array. "*" means any value.';
comment on column tasker.access_maps.role is
  'The oid of the role, so that a renamed role stays the same role.';
comment on column tasker.access_maps.namespaces is
  'The namespaces that the person is bound to. "*" alone means all namespaces. An empty array means no namespace.';

revoke all on table tasker.access_maps from public;
-- <<<

-- >>> db/schema/tables/operate/sessions/access_sessions.sql
create table tasker.access_sessions (
  session_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  token_hash    bytea        not null,
  sign_in_hash  bytea        not null,
  issuer        text         not null,
  subject       text         not null,
  email         text,
  claims        jsonb        not null,
  sealed        bytea,
  renewable     boolean      not null,
  created_at    timestamptz  not null  default tasker.clock(),
  signed_in_at  timestamptz  not null,
  seen_at       timestamptz  not null  default tasker.clock(),
  refresh_at    timestamptz  not null,
  ends_at       timestamptz  not null,
  ended_at      timestamptz,
  ended_by      text,

  constraint access_sessions_pkey
    primary key (session_uuid),
  constraint access_sessions_token_hash_key
    unique (token_hash),
  constraint access_sessions_sign_in_hash_key
    unique (sign_in_hash),
  constraint access_sessions_token_hash_check
    check (octet_length(token_hash) = 32),
  constraint access_sessions_sign_in_hash_check
    check (octet_length(sign_in_hash) = 32),
  constraint access_sessions_ended_check
    check ((ended_at is null) = (ended_by is null))
);

comment on table tasker.access_sessions is
  'The people who have signed in to tasker serve. A row is deleted a month after the end of its session.';
comment on column tasker.access_sessions.token_hash is
  'SHA-256 of the secret that the browser holds, or of the program''s token. The secret itself is not stored anywhere.';
comment on column tasker.access_sessions.sign_in_hash is
  'SHA-256 of the value that identifies one sign-in, so that a repeated answer of the provider opens no second session.';
comment on column tasker.access_sessions.claims is
  'The claims that tasker.access_maps named when the provider last sent them. Other claims are not stored.';
comment on column tasker.access_sessions.sealed is
  'The provider''s tokens, encrypted with a key that can be derived only from the browser''s secret.';
comment on column tasker.access_sessions.renewable is
  'Whether tasker serve can request the claims from the provider again. If not, the session ends when new claims are due.';
comment on column tasker.access_sessions.signed_in_at is
  'The time when the person last authenticated to the provider.';
comment on column tasker.access_sessions.refresh_at is
  'The time when tasker serve should request the claims again.';
comment on column tasker.access_sessions.ends_at is
  'The time when the session ends, even if it is in use.';

revoke all on table tasker.access_sessions from public;
-- <<<

-- >>> db/schema/rows/operate/sessions/access_map_details.sql
create or replace view tasker.access_map_details as
select
  ''::text as claim,
  ''::text as value,
  ''::text as role_name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  ''::text as updated_by
where false;

comment on view tasker.access_map_details is
  'Row type: which claim of a person who signs in gives which role in which namespaces.';
comment on column tasker.access_map_details.namespaces is
  'The namespaces that the access covers. "*" alone means all namespaces. An empty array means no namespace.';
-- <<<

-- >>> db/schema/rows/operate/sessions/session_details.sql
create or replace view tasker.session_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as session_uuid,
  ''::text as status,
  ''::text as person,
  ''::text as issuer,
  ''::text as subject,
  null::text as email,
  null::text as role_name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  '-infinity'::timestamptz as signed_in_at,
  '-infinity'::timestamptz as seen_at,
  '-infinity'::timestamptz as refresh_at,
  '-infinity'::timestamptz as ends_at,
  null::timestamptz as ended_at,
  null::text as ended_by,
  false::boolean as refresh_due,
  false::boolean as touch_due
where false;

comment on view tasker.session_details is
  'Row type: the session of a person who has signed in, without its secrets.';
comment on column tasker.session_details.status is
  'valid, idle (too long unused), expired, ended, or unmapped: no access map gives the person access.';
comment on column tasker.session_details.person is
  'The name of the person in histories: "person", the e-mail address and the subject.';
comment on column tasker.session_details.role_name is
  'The role that the access maps give the person now. Null if no access map gives a role.';
comment on column tasker.session_details.refresh_due is
  'Whether the claims must be asked for again before the session is used.';
comment on column tasker.session_details.touch_due is
  'Whether the caller should call tasker.touch_session to record that the session is in use.';
-- <<<

-- >>> db/schema/functions/operate/sessions/private/claim_value.sql
create or replace function tasker.claim_value(p_claims jsonb, p_claim text)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A person may have entered the address of another person.
  if p_claim = 'email' and p_claims ->> 'email_verified' is distinct from 'true' then
    return null;
  end if;
  return coalesce(p_claims -> p_claim, p_claims #> string_to_array(p_claim, '.'));
end;
$$;

comment on function tasker.claim_value is
$$Returns a claim of a person, or null if the person does not have this claim. If there is no claim with the whole name,
the dots in the name lead into objects. An e-mail address counts only if the provider has verified it.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/mapped_claims.sql
create or replace function tasker.mapped_claims(p_claims jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_object_agg(c.claim, c.value)
        from (
          select m.claim, tasker.claim_value(p_claims, m.claim) as value
            from tasker.access_maps as m
           group by m.claim
        ) as c
       where jsonb_typeof(c.value) in ('string', 'array', 'number', 'boolean')
    ),
    '{}'
  );
end;
$$;

comment on function tasker.mapped_claims is
$$Returns the claims of a person that access maps name, each under the name that the map uses.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/access_of.sql
create or replace function tasker.access_of(p_claims jsonb)
  returns setof tasker.access_map_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups regrole[] := '{tasker_operator,tasker_orchestrator,tasker_worker,tasker_submitter,tasker_reader}';
begin
  return query
  with given as (
    select m.*,
           (
             select min(g.no)
               from unnest(v_groups) with ordinality as g (role, no)
              where m.role = g.role
                 or exists (select from pg_auth_members as a where a.member = m.role and a.roleid = g.role)
           ) as rank
      from tasker.access_maps as m
     cross join lateral (select p_claims -> m.claim as value) as c
     where c.value is not null
       and (m.value = '*' or c.value ? m.value or (jsonb_typeof(c.value) in ('number', 'boolean') and c.value #>> '{}' = m.value))
       and tasker.token_role_problem(m.role) is null
  ),
  chosen as (
    select g.role
      from given as g
     order by g.rank, pg_get_userbyid(g.role)
     limit 1
  )
  select
    '', '', pg_get_userbyid(c.role)::text,
    case when bool_or(g.namespaces = '{*}') then '{*}' else array(
      select distinct u.namespace
        from given as s
       cross join unnest(s.namespaces) as u (namespace)
       where s.role = c.role
       order by u.namespace
    ) end,
    max(g.created_at), ''
    from chosen as c
    join given as g
      on g.role = c.role
   group by c.role;
end;
$$;

comment on function tasker.access_of is
$$Returns the role and the namespaces that the access maps give to a person with these mapped claims. Returns no row if
the maps give the person no role. If several roles match, the person gets the strongest role, in the order operator,
orchestrator, worker, submitter, reader. The namespaces are the namespaces of all matching maps with this role.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/person_name.sql
create or replace function tasker.person_name(p_subject text, p_email text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return 'person ' || coalesce(p_email || ' (' || p_subject || ')', p_subject);
end;
$$;

comment on function tasker.person_name is
$$Returns the name of a person for histories: the e-mail address, if there is one, and the subject.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/person_email.sql
create or replace function tasker.person_email(p_claims jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return p_claims ->> 'email'
   where jsonb_typeof(p_claims -> 'email') = 'string'
     and p_claims ->> 'email' ~ '^[!#-''*-+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9.-]{1,190}$'
     and p_claims ->> 'email_verified' is distinct from 'false';
end;
$$;

comment on function tasker.person_email is
$$Returns the e-mail address of a person for histories. Returns null if there is no address, or if the provider says
that it has not verified the address.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/check_person.sql
create or replace function tasker.check_person(p_claims jsonb)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := case
    when p_claims is null or jsonb_typeof(p_claims) <> 'object' then 'the claims of a person are an object'
    when octet_length(p_claims::text) > 262144 then 'the claims of a person are larger than 256 kB'
    when jsonb_typeof(p_claims -> 'iss') is distinct from 'string' or length(p_claims ->> 'iss') not between 1 and 500
      then 'the claim iss is not the name of a provider'
    when jsonb_typeof(p_claims -> 'sub') is distinct from 'string' or p_claims ->> 'sub' !~ '^[!-~]([ -~]{0,253}[!-~])?$'
      then 'the claim sub is not the name of a person'
  end;
begin
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'The claims are those of an ID token: iss and sub, up to 255 printable ASCII characters, and more.';
  end if;
end;
$$;

comment on function tasker.check_person is
$$Raises TK422 if these cannot be the claims of a person.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/raise_no_access.sql
create or replace function tasker.raise_no_access(p_person text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('%s has no access: no access map fits', p_person),
    hint    = 'An operator gives access to a group with tasker access map CLAIM=VALUE.';
end;
$$;

comment on function tasker.raise_no_access is
$$Raises TK403, because no access map gives this person a role.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/private/describe_session.sql
create or replace function tasker.describe_session(p_session tasker.access_sessions)
  returns tasker.session_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_access tasker.access_map_details;
begin
  select a.* into v_access from tasker.access_of(p_session.claims) as a;
  return row(
    p_session.session_uuid,
    case
      when p_session.ended_at is not null then 'ended'
      when p_session.ends_at <= v_now then 'expired'
      when p_session.seen_at <= v_now - make_interval(secs => tasker.setting_integer('session_idle_seconds')) then 'idle'
      when v_access.role_name is null then 'unmapped'
      else 'valid'
    end,
    tasker.person_name(p_session.subject, p_session.email),
    p_session.issuer,
    p_session.subject,
    p_session.email,
    v_access.role_name,
    coalesce(v_access.namespaces, '{}'),
    p_session.created_at,
    p_session.signed_in_at,
    p_session.seen_at,
    p_session.refresh_at,
    p_session.ends_at,
    p_session.ended_at,
    p_session.ended_by,
    p_session.renewable and p_session.refresh_at <= v_now,
    p_session.seen_at <= v_now - least(make_interval(secs => tasker.setting_integer('session_idle_seconds')) / 10, interval '1 minute')
  )::tasker.session_details;
end;
$$;

comment on function tasker.describe_session is
$$Returns the columns of a session that people may see, with the access that the maps give to the session's person now.$$;
-- <<<

-- >>> db/schema/functions/operate/sessions/map_access.sql
create or replace function tasker.map_access(
  p_claim       text,
  p_value       text,
  p_role_name   text    default 'tasker_reader',
  p_namespaces  text[]  default '{*}',
  p_actor       text    default null,
  p_reason      text    default null
)
  returns setof tasker.access_map_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_problem text;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'A person has one of the roles tasker_reader, tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator.';
  end if;
  v_problem := tasker.token_role_problem(v_role);
  v_problem := case
    when p_claim is null or length(p_claim) not between 1 and 200 then 'the name of a claim has 1 to 200 characters'
    when p_value is null or length(p_value) not between 1 and 500 then 'the value of a claim has 1 to 500 characters'
    when v_problem is not null then format('a person cannot have role "%s": %s', p_role_name, v_problem)
    when p_namespaces is null or array_ndims(p_namespaces) > 1 then 'the namespaces of a person are a list'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'See docs/howto/sign-in.md: a claim such as groups, its value, a role of pgtasker''s, namespaces or {*} for all.';
  end if;
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  if p_namespaces <> '{*}' then
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  return query
  insert into tasker.access_maps as m (claim, value, role, namespaces)
  values (
    p_claim, p_value, v_role::regrole,
    array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1)
  )
      on conflict on constraint access_maps_pkey do update
     set role       = excluded.role,
         namespaces = excluded.namespaces,
         updated_by = excluded.updated_by
  returning m.claim, m.value, pg_get_userbyid(m.role)::text, m.namespaces, m.created_at, m.updated_by;
end;
$$;

comment on function tasker.map_access is
$$Gives people whose claim has this value a role in these namespaces. {*} means all namespaces, and an empty list means
no namespace. Replaces the earlier map of this claim and value. Existing sessions follow the new map from their next
request on. If no map named the claim before, existing sessions follow the new map only after their next refresh.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the map's
row. Raises TK404 if there is no such role or namespace, TK422 for an argument that is malformed or a role that is not
pgtasker's, and TK403 if the caller itself is bound to namespaces.$$;

grant execute on function tasker.map_access to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/sessions/unmap_access.sql
create or replace function tasker.unmap_access(p_claim text, p_value text, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('name of the claim', p_claim, 200);
  perform tasker.check_text_size('value of the claim', p_value, 500);
  delete from tasker.access_maps as m
   where m.claim = p_claim
     and m.value = p_value;
  return found;
end;
$$;

comment on function tasker.unmap_access is
$$Deletes an access map. Sessions lose the rights of the map from their next request on. Returns true if the map
existed.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the map's
row. Raises TK413 for texts that are too long, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.unmap_access to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/sessions/list_access_maps.sql
create or replace function tasker.list_access_maps()
  returns setof tasker.access_map_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select m.claim, m.value, pg_get_userbyid(m.role)::text, m.namespaces, m.created_at, m.updated_by
    from tasker.access_maps as m
   order by m.claim, m.value;
end;
$$;

comment on function tasker.list_access_maps is
$$Returns the access maps, by claim and value. Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.list_access_maps to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/sessions/open_session.sql
create or replace function tasker.open_session(
  p_token_hash    bytea,
  p_sign_in_hash  bytea,
  p_claims        jsonb,
  p_signed_in_at  timestamptz  default null,
  p_renewable     boolean      default false,
  p_sealed        bytea        default null,
  p_until         timestamptz  default null
)
  returns setof tasker.session_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_refresh timestamptz := v_now + make_interval(secs => tasker.setting_integer('session_refresh_seconds'));
  v_email   text;
  v_session tasker.access_sessions;
begin
  perform tasker.check_person(p_claims);
  perform tasker.check_instant('time of the sign-in', p_signed_in_at);
  perform tasker.check_instant('end of the session', p_until);
  if coalesce(octet_length(p_token_hash), 0) <> 32 or coalesce(octet_length(p_sign_in_hash), 0) <> 32 then
    raise exception using errcode = 'TK422', message = 'the hash of a session has 32 bytes', hint = 'Pass the SHA-256 of a secret.';
  elsif octet_length(p_sealed) > 65536 then
    raise exception using errcode = 'TK413', message = 'the sealed tokens are larger than 64 kB', hint = 'Ask the provider for fewer scopes.';
  end if;
  v_email := tasker.person_email(p_claims);
  if not exists (select from tasker.access_of(tasker.mapped_claims(p_claims))) then
    perform tasker.raise_no_access(tasker.person_name(p_claims ->> 'sub', v_email));
  end if;

  delete from tasker.access_sessions as s
   where s.session_uuid in (
     select o.session_uuid
       from tasker.access_sessions as o
      where o.ends_at < v_now - interval '30 days'
        for update skip locked
   );
  insert into tasker.access_sessions (
    token_hash, sign_in_hash, issuer, subject, email, claims, sealed, renewable, signed_in_at, refresh_at, ends_at
  )
  values (
    p_token_hash, p_sign_in_hash, p_claims ->> 'iss', p_claims ->> 'sub', v_email, tasker.mapped_claims(p_claims), p_sealed,
    coalesce(p_renewable, false), least(p_signed_in_at, v_now), v_refresh,
    least(
      v_now + make_interval(secs => tasker.setting_integer('session_seconds')), p_until,
      case
        when p_renewable then null
        when jsonb_typeof(p_claims -> 'iat') = 'number' and (p_claims ->> 'iat')::numeric between 0 and extract(epoch from v_now)
          then to_timestamp((p_claims ->> 'iat')::double precision) + (v_refresh - v_now)
        else v_refresh
      end
    )
  )
      on conflict do nothing
  returning *
    into v_session;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = 'this sign-in was used before',
      hint    = 'Sign in again.';
  end if;
  return next tasker.describe_session(v_session);
end;
$$;

comment on function tasker.open_session is
$$Opens a session for a person with these claims, which "tasker serve" has verified. The database gets only the SHA-256
of the secret. The session ends after the setting session_seconds, or at p_until if that is earlier. A session that is
not renewable ends session_refresh_seconds (a setting) after its claims were issued (iat), because the provider cannot
be queried for new claims. Deletes sessions that ended more than 30 days ago.

Locks the row that it inserts. Raises TK403 if no access map gives the person access. Raises TK409 if this sign-in or
this secret was used before, and TK422 for an argument that is malformed. Raises TK413 for an argument that is too
large.$$;

grant execute on function tasker.open_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/authenticate_session.sql
create or replace function tasker.authenticate_session(p_token_hash bytea)
  returns setof tasker.session_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_session tasker.session_details;
begin
  select d.*
    into v_session
    from tasker.access_sessions as s
   cross join lateral tasker.describe_session(s) as d
   where s.token_hash = p_token_hash;
  if v_session.status = 'valid' then
    return next v_session;
    return;
  elsif v_session.status = 'unmapped' and not v_session.refresh_due then
    perform tasker.raise_no_access(v_session.person);
  elsif v_session.status = 'unmapped' then
    return next v_session;
    return;
  end if;

  raise exception using
    errcode = 'TK401',
    message = case v_session.status
      when 'ended' then 'the session has ended'
      when 'expired' then 'the session has expired'
      when 'idle' then 'the session has expired: it was idle for too long'
      else 'the session is not known'
    end,
    hint    = 'Sign in again.';
end;
$$;

comment on function tasker.authenticate_session is
$$Returns the session with this hash. A session whose refresh is due may be without a role. Raises TK401 if there is no
such session, or if it has ended, has expired or was idle for too long, and TK403 if no access map gives its person
access.$$;

grant execute on function tasker.authenticate_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/assume_session.sql
create or replace function tasker.assume_session(p_token_hash bytea)
  returns setof tasker.session_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_session tasker.session_details;
begin
  select a.* into v_session from tasker.authenticate_session(p_token_hash) as a;
  if not v_session.refresh_due then
    perform set_config('tasker.token', v_session.person, true);
    perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_session.namespaces, ','), ''), '-'), true);
    perform set_config('tasker.signed_in_at', extract(epoch from v_session.signed_in_at)::text, true);
    perform set_config('role', v_session.role_name, true);
  end if;
  return next v_session;
end;
$$;

comment on function tasker.assume_session is
$$Lets the rest of this transaction act as the person whose session has this hash, as tasker.assume_token does for a
token. If the session's refresh is due, the function does not change the role. Then the caller first queries the
provider and calls tasker.refresh_session. Returns the session.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK401 and TK403 as tasker.authenticate_session does, and 42501 if the login is not a member of the person's role.$$;

grant execute on function tasker.assume_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/access_of_person.sql
create or replace function tasker.access_of_person(p_claims jsonb)
  returns setof tasker.access_map_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_person text;
  v_access tasker.access_map_details;
begin
  perform tasker.check_person(p_claims);
  v_person := tasker.person_name(p_claims ->> 'sub', tasker.person_email(p_claims));
  select a.* into v_access from tasker.access_of(tasker.mapped_claims(p_claims)) as a;
  if not found then
    perform tasker.raise_no_access(v_person);
  end if;
  v_access.claim := 'sub';
  v_access.value := v_person;
  return next v_access;
end;
$$;

comment on function tasker.access_of_person is
$$Returns the role and the namespaces that the access maps give to a person with these claims. The column value has the
person's name in histories. Raises TK403 if no access map gives the person a role, and TK422 for claims that are
malformed.$$;

grant execute on function tasker.access_of_person to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/assume_person.sql
create or replace function tasker.assume_person(p_claims jsonb, p_signed_in_at timestamptz default null)
  returns setof tasker.access_map_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_access tasker.access_map_details;
begin
  select a.* into v_access from tasker.access_of_person(p_claims) as a;
  perform set_config('tasker.token', v_access.value, true);
  perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_access.namespaces, ','), ''), '-'), true);
  perform set_config('tasker.signed_in_at', coalesce(extract(epoch from p_signed_in_at)::text, ''), true);
  perform set_config('role', v_access.role_name, true);
  return next v_access;
end;
$$;

comment on function tasker.assume_person is
$$Lets the rest of this transaction act as a person with these claims. The person has signed in at a proxy that "tasker
serve" trusts. Without p_signed_in_at the proxy itself has to ask a person whose sign-in is old to sign in again.
Returns the role and the namespaces. The column value has the person's name in histories.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK403 if no access map gives the person access, TK422 for claims that are malformed, and 42501 if the login is not a member of the person's role.$$;

grant execute on function tasker.assume_person to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/refresh_session.sql
create or replace function tasker.refresh_session(
  p_token_hash  bytea,
  p_claims      jsonb  default null,
  p_sealed      bytea  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_session tasker.access_sessions;
begin
  if p_claims is null then
    -- Only one request queries the provider, which may allow only one query. All other requests continue, even if the
    -- provider does not answer.
    update tasker.access_sessions as s
       set refresh_at = v_now + interval '30 seconds'
     where s.token_hash = p_token_hash
       and s.refresh_at <= v_now
       and s.ended_at is null;
    return found;
  end if;

  perform tasker.check_person(p_claims);
  select s.*
    into v_session
    from tasker.access_sessions as s
   where s.token_hash = p_token_hash
     and s.ended_at is null
     for update;
  if not found then
    return false;
  elsif v_session.issuer <> p_claims ->> 'iss' or v_session.subject <> p_claims ->> 'sub' then
    raise exception using
      errcode = 'TK403',
      message = 'the provider has answered for another person',
      detail  = format('The session is of subject "%s".', v_session.subject),
      hint    = 'Sign in again.';
  end if;
  update tasker.access_sessions as s
     set claims     = tasker.mapped_claims(p_claims),
         email      = tasker.person_email(p_claims),
         sealed     = coalesce(p_sealed, s.sealed),
         refresh_at = v_now + make_interval(secs => tasker.setting_integer('session_refresh_seconds'))
   where s.session_uuid = v_session.session_uuid;
  return true;
end;
$$;

comment on function tasker.refresh_session is
$$Replaces the claims of a session by the claims that the provider has just sent. A call without p_claims says that the
caller is about to query the provider. Then the next refresh of the session is due in 30 seconds, and the session keeps
its rights until then even if the provider does not answer. Returns false if there is no such session, if the session
has ended, or if another request is already querying the provider.

Locks the session's row. Raises TK403 if the claims belong to another person, and TK422 if they are malformed.$$;

grant execute on function tasker.refresh_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/touch_session.sql
create or replace function tasker.touch_session(p_token_hash bytea)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.access_sessions as s
     set seen_at = tasker.clock()
   where s.session_uuid = (
     select c.session_uuid
       from tasker.access_sessions as c
      where c.token_hash = p_token_hash
        and c.ended_at is null
        for update skip locked
   );
  return found;
end;
$$;

comment on function tasker.touch_session is
$$Records that a person has just used a session, so that the session does not end for being idle. Returns false if there
is no such session, or if another transaction has locked it.

Locks the session's row. Skips a locked session.$$;

grant execute on function tasker.touch_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/sealed_session.sql
create or replace function tasker.sealed_session(p_token_hash bytea)
  returns bytea
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select s.sealed
      from tasker.access_sessions as s
     where s.token_hash = p_token_hash
       and s.ended_at is null
  );
end;
$$;

comment on function tasker.sealed_session is
$$Returns the encrypted tokens of a session, which only the browser's secret decrypts. Returns null if the session has
no tokens or has ended.$$;

grant execute on function tasker.sealed_session to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/sign_out.sql
create or replace function tasker.sign_out(p_token_hash bytea)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.person_name(s.subject, s.email),
         sealed   = null
   where s.token_hash = p_token_hash
     and s.ended_at is null;
  return found;
end;
$$;

comment on function tasker.sign_out is
$$Ends the session with this hash when its person signs out. Returns true if this call ended the session.

Locks the session's row.$$;

grant execute on function tasker.sign_out to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/sessions/end_session.sql
create or replace function tasker.end_session(p_session_uuid uuid, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.actor_name(p_actor),
         sealed   = null
   where s.session_uuid = p_session_uuid
     and s.ended_at is null;
  if found then
    return true;
  end if;
  if not exists (select from tasker.access_sessions as s where s.session_uuid = p_session_uuid) then
    raise exception using
      errcode = 'TK404',
      message = format('session %s does not exist', coalesce(p_session_uuid::text, 'null')),
      hint    = 'tasker.list_sessions() shows them all.';
  end if;
  return false;
end;
$$;

comment on function tasker.end_session is
$$Ends a session, so that "tasker serve" refuses it from the next request on. Returns true if this call ended the
session, and false if the session had ended before.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the
session's row. Raises TK404 if there is no such session, TK413 if the reason is too large, and TK403 if the caller is
bound to namespaces.$$;

grant execute on function tasker.end_session to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/sessions/end_sessions.sql
create or replace function tasker.end_sessions(p_person text, p_actor text default null, p_reason text default null)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('name of the person', p_person, 500);
  if coalesce(p_person, '') = '' then
    raise exception using errcode = 'TK422', message = 'the person is missing', hint = 'Name it by its e-mail address or by its subject.';
  end if;
  with chosen as (
    select s.session_uuid
      from tasker.access_sessions as s
     where p_person in (s.email, s.subject)
       and s.ended_at is null
     order by s.session_uuid
       for update
  )
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.actor_name(p_actor),
         sealed   = null
    from chosen as c
   where s.session_uuid = c.session_uuid;
  get diagnostics v_ended = row_count;
  return v_ended;
end;
$$;

comment on function tasker.end_sessions is
$$Ends all sessions of the person with this e-mail address or subject, and returns how many sessions it ended. The
person can sign in again if the provider and the access maps allow it.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the rows
of the sessions in the order of their UUIDs. Raises TK422 without a person, TK413 for a name or a reason that is too
long, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.end_sessions to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/sessions/list_sessions.sql
create or replace function tasker.list_sessions(p_all boolean default false)
  returns setof tasker.session_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select d.*
    from tasker.access_sessions as s
   cross join lateral tasker.describe_session(s) as d
   where coalesce(p_all, false)
      or d.status in ('valid', 'unmapped')
   order by s.session_uuid desc
   limit 10000;
end;
$$;

comment on function tasker.list_sessions is
$$Returns at most 10,000 sessions of people who have signed in, the newest first. With p_all, also returns ended
sessions. Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.list_sessions to tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/access/check_recent_sign_in.sql
create or replace function tasker.check_recent_sign_in()
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_signed_in text    := nullif(current_setting('tasker.signed_in_at', true), '');
  v_seconds   integer;
begin
  -- Roles and tokens do not sign in.
  if v_signed_in is null then
    return false;
  end if;
  v_seconds := tasker.setting_integer('sign_in_again_seconds');
  if v_seconds > 0 and to_timestamp(v_signed_in::double precision) < tasker.clock() - make_interval(secs => v_seconds) then
    raise exception using
      errcode = 'TK428',
      message = 'this cannot be undone, and the sign-in is too old for it',
      detail  = format('The person signed in at %s.', to_char(to_timestamp(v_signed_in::double precision) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')),
      hint    = 'Sign in again, and repeat it.';
  end if;
  return true;
end;
$$;

comment on function tasker.check_recent_sign_in is
$$Returns true for a person who has signed in lately, false for roles and tokens, which do not sign in. Raises TK428 if
the caller is a person whose sign-in is older than the setting sign_in_again_seconds. Actions that cannot be undone call
this function, such as erasures and changes of many tasks at once.$$;

grant execute on function tasker.check_recent_sign_in to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/tables/kernel/template/named_tasks.sql
create table tasker.named_tasks (
  named_task_uuid                       uuid         not null  default tasker.uuid_generate_v7(),
  task_namespace_uuid                   uuid         not null,
  name                                  text         not null,
  version                               text         not null  default '0.1.0',
  description                           text,
  configuration                         jsonb        not null  default '{}',
  content_hash                          bytea        not null,
  types                                 jsonb,
  identity_strategy                     text         not null  default 'strict',
  on_failure                            text         not null  default 'continue',
  total_steps                           integer      not null  default 0,
  root_steps                            integer      not null  default 0,
  waiting_roots                         integer      not null  default 0,
  has_conditions                        boolean      not null  default false,
  has_maps                              boolean      not null  default false,
  root_effects                          smallint     not null  default 0,
  has_compensations                     boolean      not null  default false,
  max_waiting_for_dependencies_minutes  integer,
  max_waiting_for_retry_minutes         integer,
  max_steps_in_process_minutes          integer,
  retired_at                            timestamptz,
  created_at                            timestamptz  not null  default tasker.clock(),

  constraint named_tasks_pkey
    primary key (named_task_uuid),
  constraint named_tasks_namespace_name_version_key
    unique (task_namespace_uuid, name, version),
  constraint named_tasks_task_namespace_uuid_fkey
    foreign key (task_namespace_uuid) references tasker.task_namespaces (task_namespace_uuid),
  constraint named_tasks_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$'),
  constraint named_tasks_version_check
    check (version ~ '^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,15}$'),
  constraint named_tasks_configuration_check
    check (jsonb_typeof(configuration) = 'object'),
  constraint named_tasks_content_hash_check
    check (octet_length(content_hash) = 32),
  constraint named_tasks_identity_strategy_check
    check (identity_strategy in ('strict', 'caller_provided', 'always_unique')),
  constraint named_tasks_on_failure_check
    check (on_failure in ('continue', 'halt', 'fail')),
  constraint named_tasks_steps_check
    check (waiting_roots between 0 and root_steps and root_steps <= total_steps and total_steps <= 65535),
  constraint named_tasks_lifecycle_check
    check (
      max_waiting_for_dependencies_minutes > 0
      and max_waiting_for_retry_minutes > 0
      and max_steps_in_process_minutes > 0
    )
);

comment on table tasker.named_tasks is
  'A version of a task template. A version never changes once a task uses it. A version is retired, not deleted.';
comment on column tasker.named_tasks.content_hash is
  'sha256 of the registered content: registering the same again changes nothing.';
comment on column tasker.named_tasks.types is
  'The types of the context and of results in the programs that registered the version: a text for each type that a program named.';
comment on column tasker.named_tasks.on_failure is
  'continue: branches that do not depend on a failed step continue; halt: running steps finish, no new step starts; fail: as continue, and the task fails once nothing else can move.';

comment on column tasker.named_tasks.total_steps is
  'The number of steps of the template. root_steps counts the steps without dependencies except maps, and waiting_roots counts the root steps without a handler. All three are stored so that a creation need not count the steps.';
comment on column tasker.named_tasks.has_conditions is
  'Whether an edge has a condition. Without a condition no step is skipped because of another step''s result.';
comment on column tasker.named_tasks.has_maps is
  'Whether a step is a map, waits for a failure or starts with the first of its dependencies. The consequences of a move are then decided for each task, as if the task had edges of its own (tasker.tasks.has_added_edges).';
comment on column tasker.named_tasks.root_effects is
  'The effects of all steps without dependencies together. These features take part in the creation of a task.';
comment on column tasker.named_tasks.has_compensations is
  'Whether a step has a compensation. If so, the tasks of the template have something to undo when they fail or are cancelled.';
-- <<<

-- >>> db/schema/tables/kernel/template/named_steps.sql
create table tasker.named_steps (
  named_step_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name             text         not null,
  description      text,
  created_at       timestamptz  not null  default tasker.clock(),

  constraint named_steps_pkey
    primary key (named_step_uuid),
  constraint named_steps_name_key
    unique (name),
  constraint named_steps_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$')
);

comment on table tasker.named_steps is
  'A handler, by the name under which workers register it. Steps of any template may use it.';
comment on column tasker.named_steps.name is
  'Long enough for namespace.template:version.step with the longest name of each part. Package workflow names handlers like this.';
-- <<<

-- >>> db/schema/tables/kernel/template/handler_pauses.sql
create table tasker.handler_pauses (
  namespace        text         not null,
  named_step_uuid  uuid         not null,
  handler          text         not null,
  until            timestamptz,
  reason           text,
  paused_at        timestamptz  not null  default tasker.clock(),
  paused_by        text         not null,
  paused_login     text         not null,
  paused_role      text,
  template         text,

  constraint handler_pauses_pkey
    primary key (namespace, named_step_uuid),
  constraint handler_pauses_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint handler_pauses_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid)
);

create index handler_pauses_named_step_uuid_idx
  on tasker.handler_pauses (named_step_uuid);

comment on index tasker.handler_pauses_named_step_uuid_idx is
  'Serves the foreign key to named_steps.';

comment on table tasker.handler_pauses is
  'Handlers that an operator has paused in a namespace: no step of such a handler is claimed until the handler is resumed.';
comment on column tasker.handler_pauses.until is
  'The time when the pause should end. The pause does not end by itself, but a pause past this time is an incident. Null means that no end was given.';
comment on column tasker.handler_pauses.template is
  'The template that was paused, with this handler as one of its handlers: tasker.resume_template ends the pause. Null if the handler was paused by itself.';
comment on column tasker.handler_pauses.paused_by is
  'The name of the caller that paused the handler, as the caller gave it. paused_login is the role that was logged in, and paused_role is the role that it had set if that is another.';
-- <<<

-- >>> db/schema/tables/features/limits/limits.sql
create table tasker.limits (
  limit_no     integer      not null  generated always as identity,
  namespace    text         not null,
  name         text         not null,
  concurrency  integer,
  rate         integer,
  per_seconds  integer      not null  default 1,
  burst        integer      not null  default 1,
  version      integer      not null  default 1,
  created_at   timestamptz  not null  default tasker.clock(),
  created_by   text         not null,
  updated_at   timestamptz  not null  default tasker.clock(),
  updated_by   text         not null,
  with_places  boolean      not null  default false,
  with_inputs  boolean      not null  default false,

  constraint limits_pkey
    primary key (limit_no),
  constraint limits_namespace_name_key
    unique (namespace, name),
  constraint limits_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint limits_name_check
    check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'),
  constraint limits_concurrency_check
    check (concurrency between 0 and 1000000),
  constraint limits_rate_check
    check (rate between 1 and 1000000),
  constraint limits_per_seconds_check
    check (per_seconds between 1 and 31536000),
  constraint limits_burst_check
    check (burst between 1 and 1000000),
  constraint limits_version_check
    check (version > 0)
);

comment on table tasker.limits is
  'Named limits of a namespace. A limit bounds, for each key, how many steps that name the limit may run at once, and how many may start within a period.';
comment on column tasker.limits.concurrency is
  'The number of steps of one key that may run at once. Null means any number.';
comment on column tasker.limits.rate is
  'The number of steps of one key that may start in per_seconds. Null means any number.';
comment on column tasker.limits.burst is
  'The number of steps of one key that may start at once after a pause.';
comment on column tasker.limits.with_places is
  'Whether steps that name this limit have rows in tasker.limit_places. If so, a claim also counts the places that steps hold in that table, and takes the steps one by one.';
comment on column tasker.limits.with_inputs is
  'Whether the tasks of a template that names this limit give the key a bound (limit_bound). If false, claims do not read tasker.limit_input_bounds.';
comment on column tasker.limits.version is
  'The version of the limit, which every change increases. A line that was closed under an older version is opened again.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_handlers.sql
create table tasker.limit_handlers (
  handler          text     not null,
  limit_no         integer  not null,
  named_step_uuid  uuid     not null,

  constraint limit_handlers_pkey
    primary key (handler, limit_no),
  constraint limit_handlers_limit_no_fkey
    foreign key (limit_no) references tasker.limits (limit_no),
  constraint limit_handlers_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid)
);

create index limit_handlers_limit_idx
  on tasker.limit_handlers (limit_no);
create index limit_handlers_handler_idx
  on tasker.limit_handlers (named_step_uuid);

comment on index tasker.limit_handlers_limit_idx is
  'Serves the foreign key to limits and the search for the handlers of a limit.';
comment on index tasker.limit_handlers_handler_idx is
  'Serves the foreign key to named_steps.';

comment on table tasker.limit_handlers is
  'The handlers of steps that name a limit. A claim for other handlers does not read limits.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_bounds.sql
create table tasker.limit_bounds (
  limit_no     integer      not null,
  limit_key    text         not null,
  namespace    text         not null,
  name         text         not null,
  concurrency  integer,
  rate         integer,
  per_seconds  integer      not null,
  burst        integer      not null,
  created_at   timestamptz  not null  default tasker.clock(),
  created_by   text         not null,
  updated_at   timestamptz  not null  default tasker.clock(),
  updated_by   text         not null,

  constraint limit_bounds_pkey
    primary key (limit_no, limit_key),
  constraint limit_bounds_limit_no_fkey
    foreign key (limit_no) references tasker.limits (limit_no),
  constraint limit_bounds_limit_key_check
    check (octet_length(limit_key) <= 1000),
  constraint limit_bounds_concurrency_check
    check (concurrency between 0 and 1000000),
  constraint limit_bounds_rate_check
    check (rate between 1 and 1000000),
  constraint limit_bounds_per_seconds_check
    check (per_seconds between 1 and 31536000),
  constraint limit_bounds_burst_check
    check (burst between 1 and 1000000)
);

comment on table tasker.limit_bounds is
  'The keys of limits that have bounds of their own, in place of all bounds of their limit. Operators set these bounds. Most keys have none.';
comment on column tasker.limit_bounds.namespace is
  'The namespace and the name of the limit, for the log of administration.';
comment on column tasker.limit_bounds.concurrency is
  'The number of steps of the key that may run at once. Null means any number.';
comment on column tasker.limit_bounds.rate is
  'The number of steps of the key that may start in per_seconds. Null means any number.';
comment on column tasker.limit_bounds.burst is
  'The number of steps of the key that may start at once after a pause.';
-- <<<

-- >>> db/schema/tables/features/limits/limit_places.sql
create table tasker.limit_places (
  task_uuid   uuid     not null,
  step_no     integer  not null,
  limit_no    integer  not null,
  limit_key   text     not null,
  units       integer  not null,
  whole_run   boolean  not null,
  held_units  integer  not null  default 0,

  constraint limit_places_pkey
    primary key (task_uuid, step_no, limit_no)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index limit_places_held_idx
  on tasker.limit_places (limit_no, limit_key)
  where held_units > 0;

comment on index tasker.limit_places_held_idx is
  'Serves claims: the places of a key that steps hold in addition to the places of running queue rows.';

comment on table tasker.limit_places is
  'The places of steps with several limits, with units, or with places for a whole run: one row for each limit of a step. The row exists from the time when the step is enqueued until the step ends. Other steps have no rows here.';
comment on column tasker.limit_places.units is
  'The number of places that the step takes.';
comment on column tasker.limit_places.whole_run is
  'Whether the step keeps its places during retries, sleeps and waits until it ends. If false, the step gives the places back at the end of each claim.';
comment on column tasker.limit_places.held_units is
  'The units that the step holds now. The unit of the running queue row itself is not among these units.';
-- <<<

-- >>> db/schema/tables/kernel/template/named_tasks_named_steps.sql
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
-- <<<

-- >>> db/schema/tables/kernel/template/named_task_edges.sql
create table tasker.named_task_edges (
  named_task_uuid  uuid      not null,
  from_step_no     integer   not null,
  to_step_no       integer   not null,
  condition        jsonpath,
  outcome          text,

  constraint named_task_edges_pkey
    primary key (named_task_uuid, from_step_no, to_step_no),
  constraint named_task_edges_from_step_no_fkey
    foreign key (named_task_uuid, from_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_to_step_no_fkey
    foreign key (named_task_uuid, to_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_no_self_edge_check
    check (from_step_no <> to_step_no),
  constraint named_task_edges_outcome_check
    check (outcome is null or outcome in ('failed', 'ended') and condition is null)
);

create index named_task_edges_parents_idx
  on tasker.named_task_edges (named_task_uuid, to_step_no);

comment on index tasker.named_task_edges_parents_idx is
  'Serves the foreign key of to_step_no and queries from a step to its parents.';

comment on table tasker.named_task_edges is
  'The dependencies between the steps of a template.';
comment on column tasker.named_task_edges.condition is
  'The template''s "when": a predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
comment on column tasker.named_task_edges.outcome is
  'The template''s "on": failed waits for a failure of the parent for good, ended waits for a failure or a success. Null waits for a success.';
-- <<<

-- >>> db/schema/tables/kernel/template/creation_plans.sql
create table tasker.creation_plans (
  named_task_uuid    uuid               not null,
  namespace          text               not null,
  name               text               not null,
  version            text               not null,
  retired_at         timestamptz,
  created_at         timestamptz        not null,
  identity_strategy  text               not null,
  state              tasker.task_state  not null,
  complete           boolean            not null,
  has_maps           boolean            not null,
  total_steps        integer            not null,
  active_steps       integer            not null,
  suspended_steps    integer            not null,
  transition_count   integer            not null,
  root_effects       smallint           not null,
  path               tasker.task_path   not null,
  ready              jsonb,
  undo               jsonb,
  first_no           integer,
  first_handler      uuid,
  first_priority     integer,
  transport          text               not null,
  notify             text,
  paused             boolean            not null,
  on_failure         text               not null,
  input_schema       jsonb,
  runs               jsonb,

  constraint creation_plans_pkey
    primary key (named_task_uuid)
);

create index creation_plans_newest_idx
  on tasker.creation_plans (namespace, name, (retired_at is not null), created_at desc, named_task_uuid desc);

comment on index tasker.creation_plans_newest_idx is
  'Serves creation: the newest version of a template that is not retired is the first entry.';

comment on table tasker.creation_plans is
  'The facts of a template and its namespace that the creation of a task, a claim and a result read: one row for each version. Triggers of the tables behind these facts maintain the row. Never change the row by hand. The settings, bindings and ranges that a creation needs are in tasker.settings_now.';
comment on column tasker.creation_plans.state is
  'The state of a task that starts at once. The columns complete, active_steps, suspended_steps, transition_count and path describe the same task, and ready is the outcome in its log.';
comment on column tasker.creation_plans.undo is
  'The column undo of a new task: an empty object if a step has a compensation.';
comment on column tasker.creation_plans.first_no is
  'The number of the first step, if the template has only one first step and a handler runs it. first_handler is its handler and first_priority its priority. Null if there are several first steps, or the first step waits or is a map.';
comment on column tasker.creation_plans.notify is
  'The column notify of the namespace. Null means the setting notify.';
comment on column tasker.creation_plans.input_schema is
  'The schema that the contexts of new tasks must fit. Null if the contexts are not checked.';
comment on column tasker.creation_plans.runs is
  'The number of its tasks that may run at once for each key, and the effect of a further request, in normal form. Null if the runs are not bounded.';
-- <<<

-- >>> db/schema/functions/kernel/template/private/first_steps.sql
create or replace function tasker.first_steps(p_named_task_uuid uuid)
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object('count', k.root_steps - k.waiting_roots, 'step_nos', array(
      select s.step_no
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p_named_task_uuid
         and s.total_parents = 0
       order by s.step_no
       limit 100
    ))
    from tasker.named_tasks as k
   where k.named_task_uuid = p_named_task_uuid
     and k.root_steps > k.waiting_roots;
end;

comment on function tasker.first_steps is
$$Returns the outcome of a new task's first path: the number of steps that it enqueues, and the numbers of at most 100 steps without dependencies. Returns null if the path enqueues no step.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/current_plan.sql
create or replace function tasker.current_plan(p_named_task_uuid uuid)
  returns setof tasker.creation_plans
  language sql
  stable
begin atomic
  -- These are the paths of tasker.task_paths from "pending": 38 to steps_in_process, 19 to complete, 33 to
  -- waiting_for_dependencies.
  select
    k.named_task_uuid, n.name, k.name, k.version, k.retired_at, k.created_at, k.identity_strategy, p.state,
    k.total_steps = 0, k.has_maps, k.total_steps, k.root_steps - k.waiting_roots, k.waiting_roots, p.transition_count, k.root_effects,
    p.path, tasker.first_steps(k.named_task_uuid), case when k.has_compensations then '{}'::jsonb end,
    s.step_no, s.named_step_uuid, s.priority, n.transport, n.notify,
    n.paused_at is not null, k.on_failure, case when k.configuration ? 'encrypted' then k.configuration - (select array_agg(f.field) from jsonb_object_keys(k.configuration) as f (field) where f.field not in ('encrypted', 'input_schema')) else k.configuration -> 'input_schema' end, k.configuration -> 'runs'
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    join (values
      ('complete'::tasker.task_state, 2, 19::tasker.task_path), ('steps_in_process', 3, 38), ('waiting_for_dependencies', 2, 33)
    ) as p (state, transition_count, path)
      on p.state = case
        when k.total_steps = 0 then 'complete'::tasker.task_state
        when k.root_steps > k.waiting_roots then 'steps_in_process'
        else 'waiting_for_dependencies'
      end
    left join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
     and s.total_parents = 0
     and s.await is null
     and s.for_each is null
     and not exists (
       select
         from tasker.named_tasks_named_steps as o
        where o.named_task_uuid = k.named_task_uuid
          and o.total_parents = 0
          and o.step_no <> s.step_no
     )
   where k.named_task_uuid = p_named_task_uuid;
end;

comment on function tasker.current_plan is
$$Computes the row of tasker.creation_plans for a version of a template. A task that starts at once gets the state in this row.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/keep_creation_plans.sql
create or replace function tasker.keep_creation_plans()
  returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_table_name = 'task_namespaces' then
    update tasker.creation_plans as p
       set namespace = new.name,
           transport = new.transport,
           notify    = new.notify,
           paused    = new.paused_at is not null
     where p.namespace = old.name;
  elsif tg_table_name = 'named_tasks' and tg_op = 'INSERT' then
    -- Lock first. If another transaction changes the namespace in the meantime, either it finds this row afterwards, or
    -- this call finds its change.
    perform from tasker.task_namespaces as n where n.task_namespace_uuid = new.task_namespace_uuid for share;
    insert into tasker.creation_plans
    select p.* from tasker.current_plan(new.named_task_uuid) as p;
  elsif tg_table_name = 'named_tasks' then
    update tasker.creation_plans as p
       set name              = n.name,
           version           = n.version,
           retired_at        = n.retired_at,
           created_at        = n.created_at,
           identity_strategy = n.identity_strategy,
           state             = n.state,
           complete          = n.complete,
           has_maps          = n.has_maps,
           total_steps       = n.total_steps,
           active_steps      = n.active_steps,
           suspended_steps   = n.suspended_steps,
           transition_count  = n.transition_count,
           root_effects      = n.root_effects,
           path              = n.path,
           ready             = n.ready,
           undo              = n.undo,
           on_failure        = n.on_failure,
           input_schema      = n.input_schema,
           runs              = n.runs
      from tasker.current_plan(new.named_task_uuid) as n
     where p.named_task_uuid = new.named_task_uuid;
  else
    update tasker.creation_plans as p
       set ready          = n.ready,
           first_no       = n.first_no,
           first_handler  = n.first_handler,
           first_priority = n.first_priority
      from (select distinct c.named_task_uuid from changed_rows as c) as c
     cross join lateral tasker.current_plan(c.named_task_uuid) as n
     where p.named_task_uuid = n.named_task_uuid;
  end if;
  return null;
end;
$$;

comment on function tasker.keep_creation_plans is
$$Trigger function of namespaces, templates and their steps: keeps tasker.creation_plans up to date. Locks a new template's namespace, then rows of the plans. Each trigger changes its own columns, so that two triggers at the same time lose no change.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/creation_plans.sql
create or replace trigger task_namespaces_keep_creation_plans
  after update on tasker.task_namespaces
  for each row when (
    (new.name, new.transport, new.notify, new.paused_at is null)
    is distinct from (old.name, old.transport, old.notify, old.paused_at is null)
  ) execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_keep_creation_plans
  after insert or update on tasker.named_tasks
  for each row execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_keep_creation_plans
  after insert on tasker.named_tasks_named_steps
  referencing new table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_update_keeps_creation_plans
  after update on tasker.named_tasks_named_steps
  referencing new table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

create or replace trigger named_tasks_named_steps_delete_keeps_creation_plans
  after delete on tasker.named_tasks_named_steps
  referencing old table as changed_rows
  for each statement execute function tasker.keep_creation_plans();

comment on trigger task_namespaces_keep_creation_plans on tasker.task_namespaces is
  'Maintains tasker.creation_plans: transport, notify and pause.';
comment on trigger named_tasks_keep_creation_plans on tasker.named_tasks is
  'Maintains tasker.creation_plans: new and retired versions.';
comment on trigger named_tasks_named_steps_keep_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
comment on trigger named_tasks_named_steps_update_keeps_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
comment on trigger named_tasks_named_steps_delete_keeps_creation_plans on tasker.named_tasks_named_steps is
  'Maintains tasker.creation_plans: ready and the first step.';
-- <<<

-- >>> db/schema/functions/kernel/template/private/refuse_registry_delete.sql
create or replace function tasker.refuse_registry_delete()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('rows of tasker.%s are never deleted', tg_table_name),
    detail  = 'Tasks refer to them without a foreign key.',
    hint    = 'Retire a template instead.';
end;
$$;

comment on function tasker.refuse_registry_delete is
$$Trigger function: refuses to delete rows that tasks and steps refer to. Raises TK409.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/registry_delete.sql
create or replace trigger named_tasks_refuse_delete
  before delete or truncate on tasker.named_tasks
  for each statement execute function tasker.refuse_registry_delete();

create or replace trigger named_steps_refuse_delete
  before delete or truncate on tasker.named_steps
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_tasks_refuse_delete on tasker.named_tasks is
  'Replaces a foreign key of tasks.named_task_uuid. A foreign key would be checked at every creation of a task, but this trigger costs nothing there.';
comment on trigger named_steps_refuse_delete on tasker.named_steps is
  'Replaces a foreign key of workflow_steps.named_step_uuid. A foreign key would be checked at every creation of a task, but this trigger costs nothing there.';
-- <<<

-- >>> db/schema/triggers/kernel/state/registry_delete_always.sql
-- down: nothing
-- As in triggers/always.sql: the guards also fire on a replica.
alter table tasker.named_tasks
  enable always trigger named_tasks_refuse_delete;

alter table tasker.named_steps
  enable always trigger named_steps_refuse_delete;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000300', 'functions/kernel/access/bound_namespaces 37b7e7b3722612b2
functions/kernel/access/check_recent_sign_in 86e7065b97d1f9b5
functions/kernel/access/may_see_task 490d42218b376bb5
functions/kernel/access/private/check_array_size 04e677faf555baeb
functions/kernel/access/private/check_bound 6240d594cc839e91
functions/kernel/access/private/check_bound_dlq_entry 3f2c81d9d987d385
functions/kernel/access/private/check_bound_namespaces d610cf85bc3b43f2
functions/kernel/access/private/check_bound_steps fd46735c8e87c542
functions/kernel/access/private/check_depth 3b43647bb1952c55
functions/kernel/access/private/check_given_name 70c4ac2344e4c32d
functions/kernel/access/private/check_instant 7b3fed9c6eaba244
functions/kernel/access/private/check_period 3b6ec65cdcd414ed
functions/kernel/access/private/check_queue_right a7f05fa09be2c28a
functions/kernel/access/private/check_text_size 8b83c7e85059205c
functions/kernel/access/private/check_unbound d96590626a581a14
functions/kernel/access/private/is_too_deep 3139a28e46505155
functions/kernel/access/private/may_use_queue 7f89c92376bd4e6b
functions/kernel/access/private/named_role_namespaces c2afeada29d4e03e
functions/kernel/access/private/raise_not_bound 25161e6e47abc714
functions/kernel/access/private/refuse_recovery 857ba6272c73d538
functions/kernel/access/private/role_namespaces 236b2e90b930662a
functions/kernel/lock/private/describe_lock_holder 4fd434621fc5125d
functions/kernel/lock/private/take_turn 54eddb8bf18b4275
functions/kernel/lock/private/try_turn 8db4d2f2a256ca8e
functions/kernel/template/private/current_plan 42b3646e86b050ab
functions/kernel/template/private/first_steps 4df249c7d51f2d39
functions/kernel/template/private/keep_creation_plans 0727ca2585cf6f91
functions/kernel/template/private/refuse_registry_delete f02c0a1c3a0224b2
functions/operate/sessions/access_of_person bf35b268af3cb073
functions/operate/sessions/assume_person e69e346b0517bfcb
functions/operate/sessions/assume_session dea161ed63620ea5
functions/operate/sessions/authenticate_session 7102705356c1d2d3
functions/operate/sessions/end_session 46df2794b8fc526a
functions/operate/sessions/end_sessions 0ade7c7376e6a8c4
functions/operate/sessions/list_access_maps 1eb680278b09750e
functions/operate/sessions/list_sessions f1c0cd52a568663e
functions/operate/sessions/map_access 1ab26aa5e144df8c
functions/operate/sessions/open_session ad23b4eac4878924
functions/operate/sessions/private/access_of 6e374fef1eec38ca
functions/operate/sessions/private/check_person fb77d868084cbccd
functions/operate/sessions/private/claim_value 731e06ac98f098ac
functions/operate/sessions/private/describe_session 005d06fcdba258dd
functions/operate/sessions/private/mapped_claims df44f1b19e4d3a08
functions/operate/sessions/private/person_email c4471c25a9c6d9d4
functions/operate/sessions/private/person_name 907ea51732de2203
functions/operate/sessions/private/raise_no_access 4140963a76794e91
functions/operate/sessions/refresh_session dc7ff6f84f7ec601
functions/operate/sessions/sealed_session 11cb7bd6d99deaf6
functions/operate/sessions/sign_out 47bfb0a140a392fa
functions/operate/sessions/touch_session 8fe977158a609455
functions/operate/sessions/unmap_access a892a6c02e2413f5
functions/operate/tokens/assume_token 28245493188c657e
functions/operate/tokens/authenticate_token 4157eb523da40d1f
functions/operate/tokens/create_token 7b2742219066f279
functions/operate/tokens/list_tokens 3ee2ad41a5da7048
functions/operate/tokens/private/describe_token 12a1bc44f622d85a
functions/operate/tokens/private/ending_tokens 473a9d73de25caff
functions/operate/tokens/private/token_role_problem 9be516e20babff01
functions/operate/tokens/revoke_token aeac2ba9243bff6a
rows/operate/sessions/access_map_details de9a825f2f1bf307
rows/operate/sessions/session_details 33f3463c9df848c3
rows/operate/tokens/token_details 93f8b30acf9a908e
tables/features/limits/limit_bounds 428b54fd41300501
tables/features/limits/limit_handlers 3b6a006d95cbe503
tables/features/limits/limit_places 74bbe2f73c83955f
tables/features/limits/limits b37e646fc604e09d
tables/kernel/access/role_bindings 846a67f17e00b4ef
tables/kernel/lock/turns 9763a7db8ac1a9d2
tables/kernel/template/creation_plans 5b5272df9f561eb3
tables/kernel/template/handler_pauses 93df40b1602dcd78
tables/kernel/template/named_steps bf2f4886b5a4f1e0
tables/kernel/template/named_task_edges e585a171f53ca377
tables/kernel/template/named_tasks 6a226395fea0eb6f
tables/kernel/template/named_tasks_named_steps 94c5ffda8568968b
tables/kernel/template/task_namespaces 38ab7113dbfd548d
tables/operate/sessions/access_maps bc48085249410da6
tables/operate/sessions/access_sessions f7d6ce68eb046b99
tables/operate/tokens/access_tokens 14cf585c435d1cee
triggers/kernel/state/creation_plans 05b0cd85acd11f88
triggers/kernel/state/registry_delete b84943d0e2071313
triggers/kernel/state/registry_delete_always 6664aedfb8304a2a
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000300';

drop trigger named_steps_refuse_delete on tasker.named_steps;
drop trigger named_tasks_refuse_delete on tasker.named_tasks;
drop function tasker.refuse_registry_delete;
drop trigger named_tasks_named_steps_delete_keeps_creation_plans on tasker.named_tasks_named_steps;
drop trigger named_tasks_named_steps_update_keeps_creation_plans on tasker.named_tasks_named_steps;
drop trigger named_tasks_named_steps_keep_creation_plans on tasker.named_tasks_named_steps;
drop trigger named_tasks_keep_creation_plans on tasker.named_tasks;
drop trigger task_namespaces_keep_creation_plans on tasker.task_namespaces;
drop function tasker.keep_creation_plans;
drop function tasker.current_plan;
drop function tasker.first_steps;
drop table tasker.creation_plans;
drop table tasker.named_task_edges;
drop table tasker.named_tasks_named_steps;
drop table tasker.limit_places;
drop table tasker.limit_bounds;
drop table tasker.limit_handlers;
drop table tasker.limits;
drop table tasker.handler_pauses;
drop table tasker.named_steps;
drop table tasker.named_tasks;
drop function tasker.check_recent_sign_in;
drop function tasker.list_sessions;
drop function tasker.end_sessions;
drop function tasker.end_session;
drop function tasker.sign_out;
drop function tasker.sealed_session;
drop function tasker.touch_session;
drop function tasker.refresh_session;
drop function tasker.assume_person;
drop function tasker.access_of_person;
drop function tasker.assume_session;
drop function tasker.authenticate_session;
drop function tasker.open_session;
drop function tasker.list_access_maps;
drop function tasker.unmap_access;
drop function tasker.map_access;
drop function tasker.describe_session;
drop function tasker.raise_no_access;
drop function tasker.check_person;
drop function tasker.person_email;
drop function tasker.person_name;
drop function tasker.access_of;
drop function tasker.mapped_claims;
drop function tasker.claim_value;
drop view tasker.session_details;
drop view tasker.access_map_details;
drop table tasker.access_sessions;
drop table tasker.access_maps;
drop function tasker.assume_token;
drop function tasker.authenticate_token;
drop function tasker.revoke_token;
drop function tasker.create_token;
drop function tasker.list_tokens;
drop function tasker.ending_tokens;
drop function tasker.describe_token;
drop function tasker.token_role_problem;
drop view tasker.token_details;
drop table tasker.access_tokens;
drop function tasker.try_turn;
drop function tasker.take_turn;
drop function tasker.describe_lock_holder;
drop function tasker.check_instant;
drop function tasker.check_period;
drop function tasker.check_array_size;
drop function tasker.check_depth;
drop function tasker.is_too_deep;
drop function tasker.check_given_name;
drop function tasker.check_text_size;
drop function tasker.refuse_recovery;
drop function tasker.check_queue_right;
drop function tasker.may_use_queue;
drop function tasker.check_unbound;
drop function tasker.check_bound_dlq_entry;
drop function tasker.check_bound;
drop function tasker.check_bound_steps;
drop function tasker.check_bound_namespaces;
drop function tasker.raise_not_bound;
drop function tasker.may_see_task;
drop function tasker.bound_namespaces;
drop function tasker.named_role_namespaces;
drop function tasker.role_namespaces;
drop table tasker.turns;
drop table tasker.role_bindings;
drop table tasker.task_namespaces;

reset role;
