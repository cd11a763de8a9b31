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
  result_mode          text         not null  default 'immediate',
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
  constraint task_namespaces_result_mode_check
    check (result_mode in ('immediate', 'deferred')),
  constraint task_namespaces_transport_check
    check (transport in ('table', 'pgmq', 'broker')),
  constraint task_namespaces_notify_check
    check (notify in ('always', 'asleep', 'off'))
);

create index task_namespaces_always_idx on tasker.task_namespaces (notify)
  where notify = 'always';

comment on table tasker.task_namespaces is
  'A namespace groups task templates and has its own worker queue.';
comment on column tasker.task_namespaces.name is
  'At most 29 characters, so that its queue''s and its channel''s name fit into an identifier.';
comment on column tasker.task_namespaces.paused_by is
  'The name of the caller that paused it, as it gave it; paused_login is the role that was logged in, with the one that it had set in paused_role if that is another.';
comment on column tasker.task_namespaces.result_mode is
  'immediate: a result advances the task in its own transaction; deferred: an orchestrator does it later.';
comment on column tasker.task_namespaces.transport is
  'table: workers claim from tasker.step_queue only; pgmq: each enqueued step is also announced by a message; broker: a relay publishes ready steps, and workers claim those that messages bring.';
comment on column tasker.task_namespaces.notify is
  'When NOTIFY announces the namespace''s ready steps and its tasks'' changes; null means the setting notify.';
comment on index tasker.task_namespaces_always_idx is
  'Serves notify_task_events: is there a namespace that always notifies?';
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
  'The namespaces that a database role is bound to. While it is empty, no role is bound.';
comment on column tasker.role_bindings.role is
  'By oid, so that a renamed role stays bound; dumped by name, so that a restored one does.';
-- <<<

-- >>> db/schema/tables/kernel/lock/turns.sql
create table tasker.turns (
  name  text  not null,

  constraint turns_pkey
    primary key (name)
);

comment on table tasker.turns is
  'Duties that only one session may do at a time. A session locks the row to take its turn. Any role could take an advisory lock; locking this row needs a right that only the owner has.';

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

  -- A member is bound as its groups are, unless it may only admit other roles to a group, which
  -- since PostgreSQL 16 is the right of a role's creator.
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
$$Returns the namespaces that a role is bound to, itself or by the groups that it may act as; null if it is not bound. Superusers are not bound.$$;
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
$$Returns the namespaces that a role which was recorded by name is bound to now; null if it is not bound, none if no role has that name. The name may be that of another role by now: record what the session was bound to beside it.$$;
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
$$Returns the namespaces that the caller is bound to; null if it may work in all.

The login role (session_user) decides: it has the namespaces bound to it and to the groups that it may act as, together. SET ROLE can only take away: the session keeps the namespaces that both roles have. The setting tasker.namespaces, a list with commas, can also take away: "*" or nothing at all takes nothing, "-" everything. Superusers are bound only by that setting. Behind a connection pool the login role is the pool's.$$;

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
$$Returns true if a task, or the task of a step, is in a namespace that the caller may work in. True for every UUID if the caller is not bound.$$;

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
      when v_token is not null then 'An operator makes a token for other namespaces with tasker token create.'
      when tasker.is_scoped() then 'The session''s setting tasker.namespaces restricts it; * lifts the restriction.'
      else 'An operator binds it with tasker.bind_role(role, namespaces).'
    end;
end;
$$;

comment on function tasker.raise_not_bound is
$$Raises TK403, because the caller is not bound to this namespace; null means a call that concerns all namespaces.$$;
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
$$Raises TK403 if the caller is not bound to all of these namespaces. Skips nulls.$$;
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
  -- Most roles are not bound, so most calls need not read the steps.
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
$$Raises TK403 if the caller is not bound to the namespaces of all these steps or tasks. Skips those that do not exist.$$;
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
$$Raises TK403 if the caller is not bound to the namespace of this dead letter's task, which may be gone.$$;
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
$$Raises TK403 if the caller is bound to namespaces: the call concerns all of them.$$;
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
$$Returns true if the caller may send to (insert), read (select), take from (update) or empty (delete) a queue. It may use the queues of its namespaces. Unless bound, orchestrators and operators may use all queues that tasker_owner may use, readers may read them, and any role may send task requests. A role may also use its rights on the queue's table.$$;
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
$$Raises TK403 unless tasker.may_use_queue.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/refuse_recovery.sql
create or replace function tasker.refuse_recovery()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- An unlogged table that is read first would raise 0A000.
  if pg_is_in_recovery() then
    delete from tasker.turns as t where false;
  end if;
end;
$$;

comment on function tasker.refuse_recovery is
$$Raises 25006 on a standby, as each statement that writes does there. For functions that use an unlogged table before they write.$$;
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
  perform tasker.check_text_size(p_name, p_text, p_limit);
  if p_text ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s has a line break or another control character', p_name),
      hint    = 'It is a name of one line, which histories show.';
  elsif p_text ~* '(^|,)\s*((token|schedule)\M|task\s+[0-9a-f]{8}-)'
        -- tasker serve names the token itself.
        and p_text is distinct from 'token ' || tasker.token_name() then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be "%s"', p_name, left(p_text, 100)),
      detail  = 'Histories name tokens, schedules and tasks so.',
      hint    = 'Name the person or the program, without "token", "schedule" or a task at the beginning.';
  end if;
end;
$$;

comment on function tasker.check_given_name is
$$Raises TK413 if a name that a caller gives itself is longer than p_limit characters (null: any number), TK422 if it has control characters or looks like a name that the engine gives, other than that of the caller's own token.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/is_too_deep.sql
create or replace function tasker.is_too_deep(p_value jsonb)
  returns boolean
  language sql
  stable
  parallel safe
begin atomic
  -- Each level takes eight bytes at least, so that small values are not walked through. A value that comes from a table may be
  -- compressed.
  select (pg_column_size(p_value) > 8000 or pg_column_compression(p_value) is not null)
    and jsonb_path_exists(p_value, 'strict $.**{1000} ? (@.type() == "object" || @.type() == "array")');
end;

comment on function tasker.is_too_deep is
$$Returns whether objects and arrays are nested deeper than 1,000 levels in a value that a client has sent: far below what PostgreSQL can read, so that the engine can put it into another value at any depth of its calls. Inlined.$$;
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
$$Raises TK422 for a time outside the years 1 to 9999, which arithmetic could overflow.$$;
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
    -- If the number is a subtransaction's, find its transaction: that has an older number and does not wait itself.
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
$$Returns a sentence that names the process and, unless the caller is bound to namespaces, the role whose transaction holds a row, from the row's xmax and its table.$$;
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
$$Waits for a turn and holds it until the transaction ends. After 5 seconds it raises TK409, which names the process that holds it.$$;
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
$$Takes a turn if no other session holds it, and holds it until the transaction ends. Returns true if it did.$$;
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
  'The tokens that tasker serve accepts. A row stays when its token is revoked, so that the names in histories mean one token for ever.';
comment on column tasker.access_tokens.token_hash is
  'SHA-256 of the token, which is 32 random bytes and is kept nowhere.';
comment on column tasker.access_tokens.role is
  'By oid, so that a renamed role is the same one.';
comment on column tasker.access_tokens.namespaces is
  'The namespaces that requests with this token are kept to: "*" alone is all, none is nothing.';
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
  'Row type: an access token as people look at it, without its hash.';
comment on column tasker.token_details.namespaces is
  '"*" alone is all namespaces, none is nothing.';
comment on column tasker.token_details.status is
  'valid, expired, revoked, or unusable: its role is gone, or is no longer one that a token may have.';
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
$$Why a token cannot have this role; null if it can. A token's role is one of pgtasker's groups, or a role that is a member of these groups and of no other, with no rights beyond them.$$;
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
$$A token as people look at it, and whether it is accepted now.$$;
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
$$The tokens that tasker serve accepts or has accepted, by name. Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.list_tokens to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/create_token.sql
create or replace function tasker.create_token(
  p_name        text,
  p_token_hash  bytea,
  p_role_name   text,
  p_namespaces  text[],
  p_expires_at  timestamptz  default null
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
$$Lets tasker serve accept a token, of which the database is told the SHA-256 only. Its requests act as p_role_name, in p_namespaces: {*} is all, an empty list is none. Without p_expires_at it is valid until it is revoked.

Locks the row that it inserts. Raises TK404 if there is no such role or namespace, TK422 for an argument that is malformed or a role that is not pgtasker's, TK409 if the name was used before, TK403 for a caller that is bound itself.$$;

grant execute on function tasker.create_token to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/revoke_token.sql
create or replace function tasker.revoke_token(p_name text)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  update tasker.access_tokens as t
     set revoked_at = tasker.clock(),
         revoked_by = tasker.actor_name(null)
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
$$Ends a token: tasker serve refuses it from the next request on. True if this call revoked it, false if it was revoked before.

Locks the token's row. Raises TK404 if there is no such token, TK403 if the caller is bound to namespaces.$$;

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
$$The token with this hash. Raises TK401 if there is none, or if it has expired or has been revoked.$$;

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
$$Lets the rest of this transaction act as the token with this hash: as its role (SET LOCAL ROLE), in its namespaces, named by its name in histories. All of that ends with the transaction. Returns the token.

Runs with the rights of its caller, since only these can change the role. Locks nothing. Raises TK401 as tasker.authenticate_token does, and 42501 if the login is not a member of the token's role.$$;

grant execute on function tasker.assume_token to tasker_server;
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
  'A version of a task template. It never changes once a task uses it; it is retired, not deleted.';
comment on column tasker.named_tasks.content_hash is
  'sha256 of the registered content: registering the same again changes nothing.';
comment on column tasker.named_tasks.types is
  'The types of the context and of results, as the programs that registered it take them: a text for each that a program named.';
comment on column tasker.named_tasks.on_failure is
  'continue: branches that do not depend on a failed step continue; halt: running steps finish, no new step starts; fail: as continue, and the task fails once nothing else can move.';

comment on column tasker.named_tasks.total_steps is
  'The number of its steps; stored, like root_steps (steps without dependencies, but for maps) and waiting_roots (those of them without a handler), so that creation need not count them.';
comment on column tasker.named_tasks.has_conditions is
  'Whether an edge has a condition: without one no step is skipped because of another''s result.';
comment on column tasker.named_tasks.has_maps is
  'Whether a step is a map: tasks will get instances, and edges to them.';
comment on column tasker.named_tasks.root_effects is
  'The effects of its steps without dependencies, together: what the creation of a task concerns.';
comment on column tasker.named_tasks.has_compensations is
  'Whether a step has a compensation: its tasks have something to undo when they fail or are cancelled.';
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
  'Long enough for namespace.template:version.step, the longest of each, which is how package workflow names handlers.';
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
  'Named limits of a namespace: how many steps that name the limit may run at once, and how many may start in a time, for each key.';
comment on column tasker.limits.concurrency is
  'How many steps of one key may run at once; null: any number.';
comment on column tasker.limits.rate is
  'How many steps of one key may start in per_seconds; null: any number.';
comment on column tasker.limits.burst is
  'How many steps of one key may start at once after a pause.';
comment on column tasker.limits.version is
  'Grows with every change: a line that an older version closed is opened again.';
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
  'Serves the foreign key to limits and "which handlers are limited by it".';
comment on index tasker.limit_handlers_handler_idx is
  'Serves the foreign key to named_steps.';

comment on table tasker.limit_handlers is
  'Which handlers run steps that name a limit: a claim for other handlers does not read limits.';
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
  'When a step whose parents are all settled runs: all of its edges satisfied, any of them, or settled with any outcome.';

comment on column tasker.named_tasks_named_steps.await is
  'The wait of a step without a handler; null: a handler runs the step.';
comment on column tasker.named_tasks_named_steps.for_each is
  'The array that a map runs over, and how many of its instances may run or fail; null: the step is no map.';
comment on column tasker.named_tasks_named_steps.limit_no is
  'The limit that its steps wait for; limit_key is the path of their key in the task''s context or, with $inputs, in the step''s inputs. tasker.limit_handlers keeps the limit from being deleted.';
comment on column tasker.named_tasks_named_steps.total_parents is
  'How many steps it depends on; stored so that creation need not count the edges.';

comment on column tasker.named_tasks_named_steps.compensate_uuid is
  'The handler that undoes the step; null: nothing does.';
-- <<<

-- >>> db/schema/tables/kernel/template/named_task_edges.sql
create table tasker.named_task_edges (
  named_task_uuid  uuid      not null,
  from_step_no     integer   not null,
  to_step_no       integer   not null,
  condition        jsonpath,

  constraint named_task_edges_pkey
    primary key (named_task_uuid, from_step_no, to_step_no),
  constraint named_task_edges_from_step_no_fkey
    foreign key (named_task_uuid, from_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_to_step_no_fkey
    foreign key (named_task_uuid, to_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_no_self_edge_check
    check (from_step_no <> to_step_no)
);

create index named_task_edges_parents_idx
  on tasker.named_task_edges (named_task_uuid, to_step_no);

comment on index tasker.named_task_edges_parents_idx is
  'Serves the foreign key of to_step_no and queries from a step to its parents.';

comment on table tasker.named_task_edges is
  'The dependencies between the steps of a template.';
comment on column tasker.named_task_edges.condition is
  'The template''s "when": a predicate on the parent''s results; null is satisfied by any success.';
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
  'tasks.named_task_uuid has no foreign key, because every creation would pay for checking it; this trigger costs creation nothing.';
comment on trigger named_steps_refuse_delete on tasker.named_steps is
  'workflow_steps.named_step_uuid has no foreign key, because every creation would pay for checking it; this trigger costs creation nothing.';
-- <<<

-- >>> db/schema/triggers/kernel/state/registry_delete_always.sql
-- down: nothing
-- As in triggers/always.sql: it also fires on a replica.
alter table tasker.named_tasks
  enable always trigger named_tasks_refuse_delete;

alter table tasker.named_steps
  enable always trigger named_steps_refuse_delete;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000300', 'functions/kernel/access/bound_namespaces 031a2711ad3375e9
functions/kernel/access/may_see_task eee6d18462bf58d4
functions/kernel/access/private/check_array_size 04e677faf555baeb
functions/kernel/access/private/check_bound 6240d594cc839e91
functions/kernel/access/private/check_bound_dlq_entry d3011e7ce6f9a392
functions/kernel/access/private/check_bound_namespaces f3e5f739ca7cad50
functions/kernel/access/private/check_bound_steps 1e8ff12aff59dc5a
functions/kernel/access/private/check_depth 3b43647bb1952c55
functions/kernel/access/private/check_given_name 3c1ce75f225e293b
functions/kernel/access/private/check_instant edc6b456d066ec9a
functions/kernel/access/private/check_period 3b6ec65cdcd414ed
functions/kernel/access/private/check_queue_right 418e7ae6c56a8a2b
functions/kernel/access/private/check_text_size 8b83c7e85059205c
functions/kernel/access/private/check_unbound cc495cf528302cfa
functions/kernel/access/private/is_too_deep af8d4fe3fe8ce6f0
functions/kernel/access/private/may_use_queue 2f41da5a743730da
functions/kernel/access/private/named_role_namespaces 91f1875b690c3498
functions/kernel/access/private/raise_not_bound 772cf088fe910620
functions/kernel/access/private/role_namespaces ae79e190102c1956
functions/kernel/lock/private/describe_lock_holder ced345cf3fb4e3fb
functions/kernel/lock/private/refuse_recovery 26007708badc872c
functions/kernel/lock/private/take_turn f26cd18ea777cf16
functions/kernel/lock/private/try_turn 8d5d181485bb53c6
functions/kernel/template/private/refuse_registry_delete f02c0a1c3a0224b2
functions/operate/tokens/assume_token 4849c2041ce2eb81
functions/operate/tokens/authenticate_token 19b67a2219eda552
functions/operate/tokens/create_token a899a9c151c5626f
functions/operate/tokens/list_tokens 93ab8a97741e80ad
functions/operate/tokens/private/describe_token f51ce4b52fe6a655
functions/operate/tokens/private/token_role_problem b00c0a7ea882f0fd
functions/operate/tokens/revoke_token 8322309c90851d8f
rows/operate/tokens/token_details 28bbaca97ee33f80
tables/features/limits/limit_handlers c144911a303811b8
tables/features/limits/limits 6e929a0254df8eb6
tables/kernel/access/role_bindings 86fd2e5a0a657db8
tables/kernel/lock/turns b9414cf114619f60
tables/kernel/template/named_steps f35632427bb3c0e9
tables/kernel/template/named_task_edges a1663b1fbb63458c
tables/kernel/template/named_tasks 7c42dd477efd47ae
tables/kernel/template/named_tasks_named_steps fc370bf9d8b302b6
tables/kernel/template/task_namespaces 86c74ef1cd6489cb
tables/operate/tokens/access_tokens 4bb80ddaca6825e0
triggers/kernel/state/registry_delete 67311e87ecae5e1f
triggers/kernel/state/registry_delete_always 3c5a2c4e84128db3
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000300';

drop trigger named_steps_refuse_delete on tasker.named_steps;
drop trigger named_tasks_refuse_delete on tasker.named_tasks;
drop function tasker.refuse_registry_delete;
drop table tasker.named_task_edges;
drop table tasker.named_tasks_named_steps;
drop table tasker.limit_handlers;
drop table tasker.limits;
drop table tasker.named_steps;
drop table tasker.named_tasks;
drop function tasker.assume_token;
drop function tasker.authenticate_token;
drop function tasker.revoke_token;
drop function tasker.create_token;
drop function tasker.list_tokens;
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
