-- queues: functions over pgmq queues: send and announce, read, look, measure
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/data/queue_settings.sql
-- down: delete from tasker.settings where name like 'queue\_notify\_%';
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
  ('queue_notify_global', 'boolean', 'true', null::numeric, null::numeric, 'Whether clients are notified of a queue''s messages on the channel pgmq_message_ready too, besides its namespace''s.'),
  ('queue_notify_throttle_ms', 'integer', '0', 0, 3600000, 'The least time between two notifications of a queue, in milliseconds; 0 notifies of every message.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/tables/kernel/queue/queue_notifications.sql
create unlogged table tasker.queue_notifications (
  queue_name        text         not null,
  last_notified_at  timestamptz  not null,

  constraint queue_notifications_pkey
    primary key (queue_name)
)
with (fillfactor = 50);

comment on table tasker.queue_notifications is
  'The time when clients were last notified of a queue''s messages. Rows are written only while the setting queue_notify_throttle_ms is above 0.';
-- <<<

-- >>> db/schema/rows/kernel/queue/queue_messages.sql
create or replace view tasker.queue_messages as
select
  0::bigint as msg_id,
  0::integer as read_ct,
  '-infinity'::timestamptz as enqueued_at,
  '-infinity'::timestamptz as vt,
  null::jsonb as message,
  null::jsonb as headers,
  null::timestamptz as last_read_at
where false;

comment on view tasker.queue_messages is
  'Row type: a message of a pgmq queue. The row type is the same for every version of pgmq.';
comment on column tasker.queue_messages.vt is
  'The time from which the message is visible.';
comment on column tasker.queue_messages.headers is
  'The headers of the message. Null in versions of pgmq before 1.5.';
comment on column tasker.queue_messages.last_read_at is
  'The time when the message was last read. Null if it was never read, and in versions of pgmq before 1.10.';
-- <<<

-- >>> db/schema/rows/kernel/queue/queue_statistics.sql
create or replace view tasker.queue_statistics as
select
  ''::text as queue_name,
  0::bigint as queue_length,
  null::integer as oldest_msg_age_seconds,
  null::integer as newest_msg_age_seconds,
  0::bigint as visible_length,
  null::integer as oldest_visible_age_seconds,
  0::bigint as total_messages
where false;

comment on view tasker.queue_statistics is
  'Row type: the statistics of a pgmq queue. A column with an age is null if the queue has no such message.';
comment on column tasker.queue_statistics.oldest_msg_age_seconds is
  'The number of seconds since the oldest message was sent, whether or not that message is visible.';
comment on column tasker.queue_statistics.oldest_visible_age_seconds is
  'The number of seconds since the first of the visible messages became visible. This is the lag of the consumers.';
comment on column tasker.queue_statistics.total_messages is
  'The number of messages that were ever sent to the queue.';
-- <<<

-- >>> db/schema/functions/kernel/queue/extract_queue_namespace.sql
create or replace function tasker.extract_queue_namespace(p_queue_name text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_queue_name ~ '^orchestration'
      then 'orchestration'
    when p_queue_name ~ '^worker_.*_queue(_high|_low)?$'
      then coalesce(substring(p_queue_name from '^worker_(.+?)_queue(?:_high|_low)?$'), 'worker')
    else coalesce(substring(p_queue_name from '^([a-zA-Z][a-zA-Z0-9_]*?)_queue(?:_high|_low)?$'), 'default')
  end;
end;

comment on function tasker.extract_queue_namespace is
$$Returns the namespace in a queue's name: "orchestration" for every name that begins with "orchestration", X for worker_X_queue and X_queue (also with the suffix _high or _low of a lane), otherwise "default".$$;

grant execute on function tasker.extract_queue_namespace
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/check_queue_name.sql
create or replace function tasker.check_queue_name(p_queue_name text)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_queue_name is null or p_queue_name = '' or length(p_queue_name) > 47
     or p_queue_name ~ '[^ -~]|["$;'']|--' then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_queue_name is null then 'queue name is null'
        else format('"%s" is not a valid queue name', left(p_queue_name, 100))
      end,
      hint    = 'A queue name has 1 to 47 printable ASCII characters, without $ ; -- and quotes.';
  end if;
end;
$$;

comment on function tasker.check_queue_name is
$$Raises TK422 if this is not a valid queue name.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/check_pgmq_access.sql
create or replace function tasker.check_pgmq_access(p_privilege text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not coalesce(has_schema_privilege(to_regnamespace('pgmq'), p_privilege), false) then
    raise exception using
      errcode = 'TK403',
      message = format('tasker_owner lacks the privilege "%s" on schema "pgmq"', p_privilege),
      hint    = 'The owner of schema pgmq must call tasker.adopt_pgmq().';
  end if;
end;
$$;

comment on function tasker.check_pgmq_access is
$$Raises TK403 if tasker_owner does not have a privilege (usage or create) on schema pgmq, which may belong to another role.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/pgmq_owner_is_trusted.sql
create or replace function tasker.pgmq_owner_is_trusted(p_owner oid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return p_owner in (
      select n.nspowner from pg_namespace as n where n.nspname in ('tasker', 'pgmq')
      union all
      select e.extowner from pg_extension as e where e.extname = 'pgmq'
    )
    or exists (select from pg_roles as r where r.oid = p_owner and r.rolsuper);
end;
$$;

comment on function tasker.pgmq_owner_is_trusted is
$$Returns true if tasker_owner may use objects of this role in schema pgmq, although their triggers, views and functions then run with its rights. The trusted roles are tasker_owner, the owners of schema and extension pgmq, and superusers.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/pgmq_table_is_trusted.sql
create or replace function tasker.pgmq_table_is_trusted(p_table regclass)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Only the owner can add rules, policies, defaults and indexes. Other roles can be granted the right to add triggers.
  return exists (
    select
      from pg_class as c
     where c.oid = p_table
       and c.relkind in ('r', 'p')
       and tasker.pgmq_owner_is_trusted(c.relowner)
       and not exists (
         select
           from pg_trigger as t
           join pg_proc as p
             on p.oid = t.tgfoid
          where t.tgrelid = c.oid
            and not t.tgisinternal
            and not tasker.pgmq_owner_is_trusted(p.proowner)
       )
  );
end;
$$;

comment on function tasker.pgmq_table_is_trusted is
$$Returns true if a relation of schema pgmq is a table of a role that tasker.pgmq_owner_is_trusted trusts, without triggers of other roles.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/pgmq_functions_are_trusted.sql
create or replace function tasker.pgmq_functions_are_trusted()
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Usually no other role may create functions in the schema, and then it has no function of another role.
  if not exists (
    select
      from pg_namespace as n
     cross join lateral aclexplode(n.nspacl) as a
     where n.nspname = 'pgmq'
       and a.privilege_type = 'CREATE'
       and not tasker.pgmq_owner_is_trusted(a.grantee)
  ) then
    return true;
  end if;
  return not exists (
    select
      from pg_depend as d
      join pg_proc as p
        on p.oid = d.objid
     where d.refclassid = 'pg_namespace'::regclass
       and d.refobjid = to_regnamespace('pgmq')::oid
       and d.classid = 'pg_proc'::regclass
       and not tasker.pgmq_owner_is_trusted(p.proowner)
       -- A trigger function cannot be called in place of another function.
       and p.prorettype <> 'trigger'::regtype
  );
end;
$$;

comment on function tasker.pgmq_functions_are_trusted is
$$Returns true if all functions in schema pgmq belong to trusted roles. A function of another role could be called instead of pgmq's own function.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/queue_table.sql
create or replace function tasker.queue_table(p_queue_name text)
  returns regclass
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   regclass;
  v_archive regclass;
begin
  -- If the queue can be used, its name need not be checked. The rest of the body finds the reason for a refusal.
  if has_schema_privilege(to_regnamespace('pgmq'), 'usage') then
    v_table := to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name)));
    v_archive := to_regclass('pgmq.' || quote_ident(lower('a_' || p_queue_name)));
    if has_table_privilege(v_table, 'select') and has_table_privilege(v_table, 'insert')
       and has_table_privilege(v_table, 'update') and has_table_privilege(v_table, 'delete')
       and tasker.pgmq_table_is_trusted(v_table)
       and (v_archive is null or tasker.pgmq_table_is_trusted(v_archive))
       and tasker.pgmq_functions_are_trusted() then
      return v_table;
    end if;
  end if;

  perform tasker.check_queue_name(p_queue_name);
  perform tasker.check_pgmq_access('usage');
  if v_table is null then
    raise exception using
      errcode = 'TK404',
      message = format('queue "%s" does not exist', p_queue_name),
      hint    = 'Create it with tasker.ensure_task_queue(name).';
  end if;
  if not tasker.pgmq_table_is_trusted(v_table) or not tasker.pgmq_table_is_trusted(coalesce(v_archive, v_table))
     or not tasker.pgmq_functions_are_trusted() then
    raise exception using
      errcode = 'TK403',
      message = format('queue "%s" is not used with the rights of tasker_owner', p_queue_name),
      detail  = format(
        'Its table belongs to %s. The table, one of its triggers, or a function of schema pgmq belongs to a role other than tasker_owner, the owner of schema or extension pgmq, or a superuser.',
        (select c.relowner::regrole from pg_class as c where c.oid = v_table)
      ),
      hint    = 'Give the tables of the queue to the owner of schema pgmq, and let no other role create objects in it.';
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('tasker_owner may not use queue "%s"', p_queue_name),
    hint    = 'The owner of the queue must call tasker.adopt_pgmq().';
end;
$$;

comment on function tasker.queue_table is
$$Returns the table of a queue. Raises TK422 for an invalid queue name, TK404 if there is no such queue, TK403 if it belongs to a role that has not shared it, or whose triggers and views must not run with the rights of tasker_owner.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/queue_message_columns.sql
create or replace function tasker.queue_message_columns(p_table regclass)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- pgmq has had headers since 1.5, and last_read_at since 1.10. In upgraded tables they are the last columns.
  return (
    select 'q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, '
           || case when bool_or(a.attname = 'headers') then 'q.headers' else 'null::jsonb' end
           || case when bool_or(a.attname = 'last_read_at') then ', q.last_read_at' else ', null::timestamptz' end
      from pg_attribute as a
     where a.attrelid = p_table
       and a.attname in ('headers', 'last_read_at', 'msg_id')
       and not a.attisdropped
  );
end;
$$;

comment on function tasker.queue_message_columns is
$$Returns the select list that turns a queue's row q into a tasker.queue_messages, in any version of pgmq.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/check_queue_messages.sql
create or replace function tasker.check_queue_messages(
  p_queue_name     text,
  p_messages       jsonb[],
  p_delay_seconds  integer,
  p_with_headers   boolean
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes bigint;
  v_wrong text := case
    when coalesce(cardinality(p_messages), 0) = 0 then 'there is no message'
    when array_ndims(p_messages) > 1 then 'the messages are an array of arrays'
    when array_position(p_messages, null) is not null then 'a message is null'
    when p_delay_seconds < 0 then 'the delay is negative'
  end;
begin
  perform tasker.queue_table(p_queue_name);

  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('cannot send to queue "%s": %s', p_queue_name, v_wrong),
      detail  = format('%s messages, delay of %s seconds.', coalesce(cardinality(p_messages), 0), p_delay_seconds),
      hint    = 'Send 1 to 10,000 messages, none of them null, with a delay of 0 seconds or more.';
  end if;
  perform tasker.check_array_size('messages', cardinality(p_messages), 10000);
  if p_delay_seconds > 315360000 then
    raise exception using
      errcode = 'TK422',
      message = format('a message cannot be delayed for %s seconds', p_delay_seconds),
      hint    = 'The delay is at most 315360000 seconds, ten years.';
  end if;
  v_bytes := (select max(octet_length(u.message::text)) from unnest(p_messages) as u (message));
  if v_bytes > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a message of %s bytes is too large', v_bytes),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large data elsewhere and send a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('message', u.message) from unnest(p_messages) as u (message) where tasker.is_too_deep(u.message);
  if p_with_headers and to_regprocedure('pgmq.send(text,jsonb,jsonb,integer)') is null then
    raise exception using
      errcode = 'TK422',
      message = format('cannot send to queue "%s": this pgmq has no headers', p_queue_name),
      hint    = 'pgmq has headers since 1.5: alter extension pgmq update.';
  end if;
end;
$$;

comment on function tasker.check_queue_messages is
$$Raises TK422, TK404 or TK403 if these messages cannot be sent to this queue.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/notify_queue.sql
create or replace function tasker.notify_queue(p_queue_name text, p_namespace text, p_payload text)
  returns boolean
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
  v_xid      xid8;
  v_notify   text;
  v_global   boolean;
  v_throttle integer;
begin
  select max(s.value) filter (where s.name = 'notify'),
         bool_or(s.value = 'true') filter (where s.name = 'queue_notify_global'),
         max(s.value::integer) filter (where s.name = 'queue_notify_throttle_ms')
    into v_notify, v_global, v_throttle
    from tasker.settings as s
   where s.name in ('notify', 'queue_notify_global', 'queue_notify_throttle_ms');
  -- Notify of every message, unless the setting is off or the queue's own namespace says "asleep". Programs that listen
  -- for messages usually do not mark that they sleep.
  v_notify := coalesce(
    (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
    case v_notify when 'off' then 'off' else 'always' end
  );
  if v_notify = 'off' then
    return false;
  end if;
  if v_notify = 'asleep' and current_setting('transaction_isolation') = 'read committed' then
    -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
    v_xid := pg_current_xact_id();
    if not exists (
      select
        from tasker.sleepers as z
       where z.channel = any (array['pgmq_message_ready', 'pgmq_message_ready.' || p_namespace])
         and z.until > tasker.clock()
    ) then
      return false;
    end if;
  end if;

  if v_throttle > 0 then
    -- Count only committed notifications of other transactions, because these are sent whether this transaction commits
    -- or not.
    if exists (
      select
        from tasker.queue_notifications as n
       where n.queue_name = p_queue_name
         and n.last_notified_at > tasker.clock() - v_throttle * interval '1 millisecond'
    ) then
      return false;
    end if;
    -- Record the notification, unless another session is recording one now, so that no sender waits for another
    -- transaction.
    if pg_try_advisory_xact_lock(hashtextextended('tasker.queue_notifications.' || p_queue_name, 0)) then
      insert into tasker.queue_notifications as n (queue_name, last_notified_at)
      values (p_queue_name, tasker.clock())
      on conflict (queue_name) do update set last_notified_at = excluded.last_notified_at;
    end if;
  end if;

  perform pg_notify('pgmq_message_ready.' || p_namespace, p_payload);
  if v_global then
    perform pg_notify('pgmq_message_ready', p_payload);
  end if;
  return true;
end;
$$;

comment on function tasker.notify_queue is
$$Sends a notification about messages of a queue on the channels pgmq_message_ready.<namespace> and pgmq_message_ready. Returns false if a setting (notify, the namespace's notify, queue_notify_throttle_ms) suppressed the notification.

Never waits. So that it misses no suppressed notification, a client that was woken reads again one throttle interval later.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_kind.sql
create or replace function tasker.pgmq_kind()
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Query the catalog: to_regprocedure requires rights on the schema.
  return (
    select case
             when bool_or(p.proname = '_pgtasker_version') then 'own'
             when count(distinct p.proname) filter (
                    where p.proname in ('create', 'send', 'send_batch', 'read', 'delete', 'archive', 'set_vt')
                  ) < 7 then 'none'
             when exists (select from pg_extension as e where e.extname = 'pgmq') then 'extension'
             else 'foreign'
           end
      from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
     where n.nspname = 'pgmq'
  );
end;
$$;

comment on function tasker.pgmq_kind is
$$Returns the kind of schema pgmq: "own" (installed by pgtasker), "extension", "foreign" (the same functions, installed by another role without the extension) or "none".$$;

grant execute on function tasker.pgmq_kind
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_send_with_notify.sql
create or replace function tasker.pgmq_send_with_notify(
  p_queue_name     text,
  p_message        jsonb,
  p_delay_seconds  integer default 0,
  p_headers        jsonb default null
)
  returns bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespace text    := tasker.extract_queue_namespace(p_queue_name);
  v_delay     integer := coalesce(p_delay_seconds, 0);
  v_msg_id    bigint;
begin
  perform tasker.check_queue_messages(p_queue_name, array[p_message], v_delay, p_headers is not null);
  perform tasker.check_text_size('text of the headers', p_headers::text, 16384);
  perform tasker.check_queue_right(p_queue_name, 'insert');

  if p_headers is null then
    select s.msg_id into v_msg_id from pgmq.send(p_queue_name, p_message, v_delay) as s (msg_id);
  else
    select s.msg_id into v_msg_id from pgmq.send(p_queue_name, p_message, p_headers, v_delay) as s (msg_id);
  end if;

  perform tasker.notify_queue(p_queue_name, v_namespace, json_build_object(
    'event_type', 'message_ready',
    'msg_id', v_msg_id,
    'queue_name', p_queue_name,
    'namespace', v_namespace,
    'ready_at', now(),
    'delay_seconds', v_delay
  )::text);
  return v_msg_id;
end;
$$;

comment on function tasker.pgmq_send_with_notify is
$$Sends a message to a pgmq queue and returns the message's id. On commit, notifies on the channels pgmq_message_ready.<namespace> and pgmq_message_ready. The payload has event_type, msg_id, queue_name, namespace, ready_at (when the message was sent) and delay_seconds.

The setting notify switches notifications off, the setting queue_notify_global the notifications on the second channel. The setting queue_notify_throttle_ms limits the notifications per queue. Raises TK404 if there is no such queue, TK422 for a null message, a negative delay, or headers in a version of pgmq without headers, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_send_with_notify
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/send_messages.sql
create or replace function tasker.send_messages(
  p_queue_name     text,
  p_messages       jsonb[],
  p_delay_seconds  integer default 0,
  p_headers        jsonb[] default null
)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespace text    := tasker.extract_queue_namespace(p_queue_name);
  v_delay     integer := coalesce(p_delay_seconds, 0);
begin
  perform tasker.check_queue_messages(p_queue_name, p_messages, v_delay, p_headers is not null);
  perform tasker.check_text_size('text of the headers', u.header::text, 16384) from unnest(p_headers) as u (header);

  if p_headers is null then
    return query select s.msg_id from pgmq.send_batch(p_queue_name, p_messages, v_delay) as s (msg_id);
  elsif cardinality(p_headers) <> cardinality(p_messages) then
    raise exception using
      errcode = 'TK422',
      message = format('cannot send to queue "%s": the numbers of messages and headers differ', p_queue_name),
      detail  = format('%s messages, %s headers.', cardinality(p_messages), cardinality(p_headers)),
      hint    = 'Pass one header for each message, null for none.';
  else
    return query select s.msg_id from pgmq.send_batch(p_queue_name, p_messages, p_headers, v_delay) as s (msg_id);
  end if;

  -- The text is the same for all batches of a transaction, because PostgreSQL sends equal notifications only once.
  perform tasker.notify_queue(p_queue_name, v_namespace, json_build_object(
    'event_type', 'batch_ready',
    'queue_name', p_queue_name,
    'namespace', v_namespace,
    'ready_at', now()
  )::text);
end;
$$;

comment on function tasker.send_messages is
$$Sends messages to a queue and notifies once, for the engine and for tasker.pgmq_send_batch_with_notify. Raises TK422, TK404 or TK403 as tasker.check_queue_messages does.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/announce_messages.sql
create or replace function tasker.announce_messages(p_queue_name text, p_messages jsonb[])
  returns void
  language plpgsql
as $$
begin
  if to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name))) is null then
    raise warning using
      errcode = '01000',
      message = format('queue "%s" does not exist: nothing announces %s steps', p_queue_name, cardinality(p_messages)),
      hint    = 'Claims find them. Create the queue again with tasker.ensure_task_queue(name).';
    return;
  end if;
  perform tasker.send_messages(p_queue_name, p_messages);
end;
$$;

comment on function tasker.announce_messages is
$$Sends messages that announce rows of the table step_queue (tasker.send_messages). If the queue has been dropped, the function only warns, because workers can claim the rows without these messages.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_send_batch_with_notify.sql
create or replace function tasker.pgmq_send_batch_with_notify(
  p_queue_name     text,
  p_messages       jsonb[],
  p_delay_seconds  integer default 0,
  p_headers        jsonb[] default null
)
  returns setof bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.queue_table(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'insert');
  return query select m.msg_id from tasker.send_messages(p_queue_name, p_messages, p_delay_seconds, p_headers) as m (msg_id);
end;
$$;

comment on function tasker.pgmq_send_batch_with_notify is
$$Sends messages to a pgmq queue, in the given order, and returns their ids. Sends one notification per queue and transaction on each of the channels pgmq_message_ready.<namespace> and pgmq_message_ready. Its payload has event_type (batch_ready), queue_name, namespace and ready_at.

The settings are the same as for pgmq_send_with_notify. Raises TK404 if there is no such queue, TK422 for no message or a null message, a negative delay, headers that do not match, or headers in a version of pgmq without headers, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_send_batch_with_notify
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_read_specific_message.sql
create or replace function tasker.pgmq_read_specific_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_vt_seconds     integer default 30
)
  returns setof tasker.queue_messages
  language plpgsql
  security definer
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass    := tasker.queue_table(p_queue_name);
  v_now   timestamptz := clock_timestamp();
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  if p_vt_seconds < 0 then
    raise exception using
      errcode = 'TK422',
      message = format('a message of queue "%s" cannot be hidden for %s seconds', p_queue_name, p_vt_seconds),
      hint    = 'Hide it for 0 seconds or more; null means 30.';
  end if;

  -- Skip locked rows: the second reader gets no row at once instead of waiting for it.
  return query execute format(
    $sql$
      update %1$s as q
         set vt      = $2 + make_interval(secs => $3),
             read_ct = q.read_ct + 1%2$s
       where q.msg_id = (
               select w.msg_id
                 from %1$s as w
                where w.msg_id = $1
                  and w.vt <= $2
                  for update skip locked
             )
      returning %3$s
    $sql$,
    v_table,
    case when tasker.queue_message_columns(v_table) like '%q.last_read_at%' then ', last_read_at = $2' else '' end,
    tasker.queue_message_columns(v_table)
  ) using p_target_msg_id, v_now, coalesce(p_vt_seconds, 30);
end;
$$;

comment on function tasker.pgmq_read_specific_message is
$$Receives the message that a notification named, and hides it for p_vt_seconds. Returns no row if another reader holds the message, or the message is hidden, deleted or never existed. If two readers call at once, one of them gets the message, and neither waits.

Raises TK404 if there is no such queue, TK422 for a negative time, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_read_specific_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/check_receiving.sql
create or replace function tasker.check_receiving(
  p_queue_name  text,
  p_limit       integer,
  p_vt_seconds  integer,
  p_max_reads   integer,
  p_dead_queue  text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wrong text := case
    when p_limit not between 1 and 1000 then format('%s messages cannot be asked for', p_limit)
    when p_vt_seconds not between 0 and 315360000 then format('a message cannot be hidden for %s seconds', p_vt_seconds)
    when p_max_reads < 1 then format('a message cannot be delivered %s times at most', p_max_reads)
    when (p_max_reads is null) <> (p_dead_queue is null) then 'a limit of reads and a dead-letter queue come together'
    when lower(p_dead_queue) = lower(p_queue_name) then 'a queue cannot be its own dead-letter queue'
  end;
begin
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('nothing can be received from queue "%s": %s', p_queue_name, v_wrong),
      hint    = 'Ask for 1 to 1000 messages, hidden for 0 to 315360000 seconds; give both a limit of reads of at least 1 and the name of another queue, or neither.';
  end if;
  if p_dead_queue is not null then
    perform tasker.queue_table(p_dead_queue);
    perform tasker.check_queue_right(p_dead_queue, 'insert');
  end if;
end;
$$;

comment on function tasker.check_receiving is
$$Raises TK422 if messages cannot be received from a queue with these arguments, and TK404 or TK403 if the dead-letter queue cannot be used.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/bury_messages.sql
create or replace function tasker.bury_messages(
  p_table       regclass,
  p_limit       integer,
  p_max_reads   integer,
  p_dead_queue  text
)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_messages  jsonb[];
  v_headers   jsonb[];
  v_namespace text := tasker.extract_queue_namespace(p_dead_queue);
begin
  execute format(
    $sql$
      with due as (
        select d.msg_id
          from %1$s as d
         where d.vt <= $1
         order by d.vt, d.msg_id
         limit $2
           for update skip locked
      ), dead as (
        delete from %1$s as q
         where q.msg_id = any (array(select u.msg_id from due as u))
           and q.read_ct >= $3
        returning %2$s
      )
      select array_agg(coalesce(m.message, 'null') order by m.msg_id),
             array_agg(
               jsonb_build_object('message_id', m.msg_id::text)
               || case when jsonb_typeof(m.headers) = 'object' then m.headers else '{}' end
               order by m.msg_id
             )
        from dead as m (msg_id, read_ct, enqueued_at, vt, message, headers, last_read_at)
    $sql$,
    p_table, tasker.queue_message_columns(p_table)
  ) into v_messages, v_headers using clock_timestamp(), p_limit, p_max_reads;
  if v_messages is null then
    return 0;
  end if;

  -- Do not use send_messages, because a message that is larger than the present limit also has to leave the queue.
  perform pgmq.send_batch(p_dead_queue, v_messages, v_headers, 0);
  perform tasker.notify_queue(p_dead_queue, v_namespace, json_build_object(
    'event_type', 'batch_ready',
    'queue_name', p_dead_queue,
    'namespace', v_namespace,
    'ready_at', now()
  )::text);
  return cardinality(v_messages);
end;
$$;

comment on function tasker.bury_messages is
$$Moves those of the queue's first due messages that have been read p_max_reads times to a dead-letter queue. Returns how many messages it moved. The messages keep their headers. If a message has no message_id, its id in the old queue becomes its message_id.

Locks these messages and skips locked messages.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_receive_messages.sql
create or replace function tasker.pgmq_receive_messages(
  p_queue_name  text,
  p_limit       integer default 1,
  p_vt_seconds  integer default 30,
  p_max_reads   integer default null,
  p_dead_queue  text default null
)
  returns setof tasker.queue_messages
  language plpgsql
  security definer
  rows 10
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_table regclass    := tasker.queue_table(p_queue_name);
  v_limit integer     := coalesce(p_limit, 1);
  v_now   timestamptz;
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  perform tasker.check_receiving(p_queue_name, v_limit, p_vt_seconds, p_max_reads, p_dead_queue);

  -- Repeat until none of the first messages is poison. Otherwise a receiver would get no message if all first messages
  -- are poison, and would take the queue for empty.
  if p_max_reads is not null then
    while tasker.bury_messages(v_table, v_limit, p_max_reads, p_dead_queue) > 0 loop
    end loop;
  end if;

  v_now := clock_timestamp();
  return query execute format(
    $sql$
      with received as (
        update %1$s as q
           set vt      = $1 + make_interval(secs => $3),
               read_ct = q.read_ct + 1%2$s
         where q.msg_id = any (array(
                 select d.msg_id
                   from %1$s as d
                  where d.vt <= $1
                    and ($4 is null or d.read_ct < $4)
                  order by d.vt, d.msg_id
                  limit $2
                    for update skip locked
               ))
        returning %3$s
      )
      select r.* from received as r order by r.msg_id
    $sql$,
    v_table,
    case when tasker.queue_message_columns(v_table) like '%q.last_read_at%' then ', last_read_at = $1' else '' end,
    tasker.queue_message_columns(v_table)
  ) using v_now, v_limit, coalesce(p_vt_seconds, 30), p_max_reads;
end;
$$;

comment on function tasker.pgmq_receive_messages is
$$Receives up to p_limit (null: 1) visible messages, beginning with those messages that have been visible longest, and hides them for p_vt_seconds (null: 30). Returns the messages in the order of their ids. A message that has already been read p_max_reads times is moved to p_dead_queue instead.

The Go package messaging calls this function. Pass msg_id and read_ct of a returned row to pgmq_acknowledge_message and pgmq_hide_message to name this delivery. Locks the messages and skips locked messages. Raises TK404 if there is no such queue, TK422 for a number that is out of range or p_max_reads without p_dead_queue, TK403 if the caller may not use a queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_receive_messages
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_acknowledge_message.sql
create or replace function tasker.pgmq_acknowledge_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_read_ct        integer
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
  v_gone  bigint;
begin
  perform tasker.check_queue_right(p_queue_name, 'delete');
  execute format('delete from %s as q where q.msg_id = $1 and q.read_ct = $2 returning q.msg_id', v_table)
    into v_gone using p_target_msg_id, p_read_ct;
  return v_gone is not null;
end;
$$;

comment on function tasker.pgmq_acknowledge_message is
$$Deletes a message that has been handled, unless the message has been delivered again in the meantime. p_read_ct is the value of read_ct that the delivery returned. Returns true if the message was deleted.

Locks the message. Raises TK404 if there is no such queue, TK422 for a name that no queue can have, TK403 if the caller may not use the queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_acknowledge_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_hide_message.sql
create or replace function tasker.pgmq_hide_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_read_ct        integer,
  p_vt_seconds     integer default 30
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table  regclass := tasker.queue_table(p_queue_name);
  v_hidden bigint;
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  if p_vt_seconds not between 0 and 315360000 then
    raise exception using
      errcode = 'TK422',
      message = format('a message of queue "%s" cannot be hidden for %s seconds', p_queue_name, p_vt_seconds),
      hint    = 'It is hidden for 0 to 315360000 seconds; null stands for 30.';
  end if;
  execute format(
    'update %s as q set vt = clock_timestamp() + make_interval(secs => $3) where q.msg_id = $1 and q.read_ct = $2 returning q.msg_id', v_table
  ) into v_hidden using p_target_msg_id, p_read_ct, coalesce(p_vt_seconds, 30);
  return v_hidden is not null;
end;
$$;

comment on function tasker.pgmq_hide_message is
$$Hides a received message for p_vt_seconds from now (null: 30), unless the message has been delivered again in the meantime. p_read_ct is the value of read_ct that the delivery returned. 0 seconds make the message visible at once. Returns true if the message was hidden.

Locks the message. Raises TK404 if there is no such queue, TK422 for a time out of range, TK403 if the caller may not use the queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_hide_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_delete_messages.sql
create or replace function tasker.pgmq_delete_messages(p_queue_name text, p_msg_ids bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.queue_table(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'delete');
  perform tasker.check_array_size('messages', cardinality(p_msg_ids), 10000);
  return query select d.msg_id from pgmq.delete(p_queue_name, coalesce(p_msg_ids, '{}')) as d (msg_id);
end;
$$;

comment on function tasker.pgmq_delete_messages is
$$Deletes processed messages from a pgmq queue. Returns the ids of the messages that existed. Workers call this
function, so that they need no rights on schema pgmq.

Idempotent. Locks the messages. Raises TK404 if there is no such queue, TK422 for an invalid queue name, TK403 if the
queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_delete_messages
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/pgmq_ensure_headers_column.sql
create or replace function tasker.pgmq_ensure_headers_column(p_queue_name text)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
  v_added boolean := false;
begin
  perform tasker.queue_table(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'insert');
  foreach v_table in array array[
    tasker.queue_table(p_queue_name),
    to_regclass(format('pgmq.%I', lower('a_' || p_queue_name)))
  ] loop
    if v_table is null or exists (
      select from pg_attribute as a where a.attrelid = v_table and a.attname = 'headers' and not a.attisdropped
    ) then
      continue;
    end if;
    if not pg_has_role((select c.relowner from pg_class as c where c.oid = v_table), 'usage') then
      raise exception using
        errcode = 'TK403',
        message = format('queue "%s" belongs to another role', p_queue_name),
        hint    = format('Ask its owner to add the column headers jsonb to %s.', v_table);
    end if;
    execute format('alter table %s add column if not exists headers jsonb', v_table);
    v_added := true;
  end loop;
  return v_added;
end;
$$;

comment on function tasker.pgmq_ensure_headers_column is
$$Adds the column "headers" to a queue and its archive if pgmq before 1.5 created them. Returns true if this call added the column.

Idempotent. If the column is added, the table is locked exclusively for a moment. Raises TK404 if there is no such queue, TK403 if it belongs to another role.$$;

grant execute on function tasker.pgmq_ensure_headers_column to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/ensure_task_queue.sql
create or replace function tasker.ensure_task_queue(
  p_queue_name  text,
  p_actor       text  default null,
  p_reason      text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_twin text;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_queue_name(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'insert');
  perform tasker.check_pgmq_access('usage');
  perform tasker.check_pgmq_access('create');

  select m.queue_name
    into v_twin
    from pgmq.meta as m
   where lower(m.queue_name) = lower(p_queue_name)
   order by m.queue_name <> p_queue_name
   limit 1;
  if v_twin is null then
    -- Only one session at a time creates a queue of this name. The next session finds the queue. An advisory lock works
    -- with every version of pgmq.
    perform pg_advisory_xact_lock(hashtextextended('tasker.queue.' || lower(p_queue_name), 0));
    select m.queue_name
      into v_twin
      from pgmq.meta as m
     where lower(m.queue_name) = lower(p_queue_name)
     order by m.queue_name <> p_queue_name
     limit 1;
  end if;
  if v_twin <> p_queue_name then
    raise exception using
      errcode = 'TK409',
      message = format('queue "%s" cannot be created beside "%s"', p_queue_name, v_twin),
      hint    = 'Names that differ only in case would share one table.';
  end if;

  if to_regclass(format('pgmq.%I', lower('q_' || p_queue_name))) is not null then
    -- Refuse a table that another role has prepared under this name, before pgmq takes it over.
    perform tasker.queue_table(p_queue_name);
  end if;
  if v_twin is null or to_regclass(format('pgmq.%I', lower('q_' || p_queue_name))) is null then
    perform pgmq.create(p_queue_name);
    perform tasker.note_administration(
      'queues', p_queue_name, array[substring(p_queue_name from '^worker_([a-z][a-z0-9_]*)_queue(?:_high|_low)?$')], 'insert'
    );
  end if;
  perform tasker.pgmq_ensure_headers_column(p_queue_name);
  return true;
end;
$$;

comment on function tasker.ensure_task_queue is
$$Creates a pgmq queue if it does not exist. The queue has the column "headers" in every version of pgmq. Always returns true.

Idempotent. Does not lock an existing queue, and waits for another session that creates a queue of this name. Raises TK422 for an invalid queue name, TK409 if another queue's name differs only in case, TK403 if tasker_owner may not create queues.$$;

grant execute on function tasker.ensure_task_queue to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/queue_statistics_of.sql
create or replace function tasker.queue_statistics_of(p_queue_name text)
  returns setof tasker.queue_statistics
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
begin
  -- The counts come from the index on vt if possible, the ages from both ends of the primary key.
  return query execute format(
    $sql$
      select $1,
             count(*),
             extract(epoch from $2 - (select o.enqueued_at from %1$s as o order by o.msg_id limit 1))::integer,
             extract(epoch from $2 - (select n.enqueued_at from %1$s as n order by n.msg_id desc limit 1))::integer,
             count(*) filter (where q.vt <= $2),
             extract(epoch from $2 - min(q.vt) filter (where q.vt <= $2))::integer,
             coalesce(pg_sequence_last_value(pg_get_serial_sequence($3, 'msg_id')::regclass), 0)
        from %1$s as q
    $sql$,
    v_table
  ) using p_queue_name, clock_timestamp(), v_table::text;
end;
$$;

comment on function tasker.queue_statistics_of is
$$Returns the statistics of one queue. Raises TK404, TK422 or TK403 as tasker.queue_table does.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/get_queue_statistics.sql
create or replace function tasker.get_queue_statistics(p_queue_name text default null)
  returns setof tasker.queue_statistics
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  if p_queue_name is not null then
    perform tasker.queue_table(p_queue_name);
    perform tasker.check_queue_right(p_queue_name, 'select');
    return query select s.* from tasker.queue_statistics_of(p_queue_name) as s;
    return;
  end if;

  perform tasker.check_pgmq_access('usage');
  for v_queue in
    select m.queue_name
      from pgmq.meta as m
     where has_table_privilege(to_regclass(format('pgmq.%I', lower('q_' || m.queue_name))), 'select')
       and tasker.pgmq_table_is_trusted(to_regclass(format('pgmq.%I', lower('q_' || m.queue_name))))
       and tasker.may_use_queue(m.queue_name, 'select')
     order by m.queue_name
  loop
    return query select s.* from tasker.queue_statistics_of(v_queue) as s;
  end loop;
end;
$$;

comment on function tasker.get_queue_statistics is
$$Returns the length of a queue, how many of its messages are visible, the ages of its oldest and newest message, how long its first visible message has waited, and how many messages were ever sent to it. If the name is null, returns all queues that tasker_owner may read, by name.

The counts are exact, so the function reads the whole index of a queue. Raises TK404 if there is no such queue, TK422 for an invalid queue name.$$;

grant execute on function tasker.get_queue_statistics
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/queue/peek_queue.sql
create or replace function tasker.peek_queue(
  p_queue_name    text,
  p_limit         integer default 10,
  p_after_msg_id  bigint default null
)
  returns setof tasker.queue_messages
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
begin
  perform tasker.check_queue_right(p_queue_name, 'select');
  if coalesce(p_limit, 10) not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', p_limit),
      hint    = 'A limit is 1 to 10000.';
  end if;

  return query execute format(
    'select %s from %s as q where q.msg_id > $1 order by q.msg_id limit $2',
    tasker.queue_message_columns(v_table), v_table
  ) using coalesce(p_after_msg_id, 0), coalesce(p_limit, 10);
end;
$$;

comment on function tasker.peek_queue is
$$Returns the first messages of a queue after an id, visible or hidden, in the order of sending. Does not receive, change or lock the messages.

Raises TK404 if there is no such queue, TK422 for a limit that is not between 1 and 10000 or an invalid queue name, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.peek_queue
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/drop_schema_quietly.sql
create or replace function tasker.drop_schema_quietly(p_schema text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
as $$
begin
  execute format('drop schema if exists %I cascade', p_schema);
end;
$$;

comment on function tasker.drop_schema_quietly is
$$Drops a schema and everything in it without the notice that lists its objects. The caller must own the schema.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/adopt_pgmq.sql
create or replace function tasker.adopt_pgmq(p_queues text[] default null)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_grant   text;
  v_grants  text[] := '{"grant usage, create on schema pgmq to tasker_owner","grant execute on all functions in schema pgmq to tasker_owner"}';
  v_refused integer := 0;
begin
  if p_queues is null then
    v_grants := v_grants || array[
      'grant all on all tables in schema pgmq to tasker_owner',
      'grant all on all sequences in schema pgmq to tasker_owner',
      'alter default privileges in schema pgmq grant all on tables to tasker_owner',
      'alter default privileges in schema pgmq grant all on sequences to tasker_owner'
    ];
  else
    perform tasker.check_queue_name(u.name) from unnest(p_queues) as u (name);
    -- Grant rights on the tables that pgmq keeps for all queues. For each queue, grant rights on its messages, its
    -- archive and the sequence of its message ids.
    v_grants := v_grants || array(
      select format(
          'grant all on %s %I.%I to tasker_owner', case c.relkind when 'S' then 'sequence' else 'table' end, 'pgmq', c.relname
        )
        from pg_class as c
        left join pg_depend as d
          on d.classid = 'pg_class'::regclass
         and d.objid = c.oid
         and d.deptype in ('a', 'i')
         and c.relkind = 'S'
        left join pg_class as t
          on t.oid = d.refobjid
       where c.relnamespace = 'pgmq'::regnamespace
         and c.relkind in ('r', 'p', 'S')
         and (
           coalesce(t.relname, c.relname) !~ '^[qa]_'
           or substr(coalesce(t.relname, c.relname), 3) = any (array(select lower(u.name) from unnest(p_queues) as u (name)))
         )
       order by c.relname
    );
  end if;
  foreach v_grant in array v_grants loop
    begin
      execute v_grant;
    exception when insufficient_privilege then
      v_refused := v_refused + 1;
      raise notice using
        message = format('not allowed: %s', v_grant),
        hint    = 'The owner of schema pgmq must call tasker.adopt_pgmq().';
    end;
  end loop;
  return v_refused;
end;
$$;

comment on function tasker.adopt_pgmq is
$$Grants tasker_owner, and thus the queue functions of schema tasker, the use of the caller's pgmq: the schema, its functions, and the queues of these names. Null means the existing queues and the queues that the caller creates later. Orchestrators and operators can then use these queues through the queue functions. So name the queues if the schema also has queues of other programs. Returns the number of grants that the caller was not allowed to make. A notice names each of these grants.

Idempotent. The owner of schema pgmq or of its queues calls this function, and needs the execute privilege on it.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/settle_pgmq.sql
create or replace function tasker.settle_pgmq()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := current_setting('role');
begin
  -- The migrating user, not tasker_owner, creates schemas and extensions.
  perform set_config('role', 'none', true);

  if tasker.pgmq_kind() = 'none' and coalesce(current_setting('tasker.pgmq', true), '') <> 'own' and exists (
    select
      from pg_available_extensions as x
     where x.name = 'pgmq'
       and string_to_array(substring(x.default_version from '^[0-9]+[.][0-9]+'), '.')::integer[] >= '{1,4}'
  ) then
    begin
      create extension pgmq;
    exception when others then
      raise notice using
        message = 'extension pgmq is available but was not created: pgtasker installs its own pgmq',
        detail  = sqlerrm,
        hint    = 'Move to the extension later with tasker.move_pgmq_to_extension(); see docs/queues.md.';
    end;
  end if;

  case tasker.pgmq_kind()
    when 'none' then
      if exists (select from pg_namespace as n where n.nspname = 'pgmq') then
        raise exception using
          errcode = 'TK409',
          message = 'schema "pgmq" exists but does not contain pgmq',
          detail  = 'It lacks some of the functions create, send, send_batch, read, delete, archive and set_vt.',
          hint    = 'Rename it or drop it, then migrate again.';
      end if;
      alter schema tasker_pgmq rename to pgmq;
    else
      if tasker.pgmq_kind() <> 'own' then
        perform tasker.adopt_pgmq();
      end if;
      perform tasker.drop_schema_quietly('tasker_pgmq');
  end case;

  perform set_config('role', v_role, true);
  return tasker.pgmq_kind();
end;
$$;

comment on function tasker.settle_pgmq is
$$Decides which pgmq the database uses, at the end of the migration that created schema tasker_pgmq. The first choice is an existing pgmq. The second choice is the extension, if it can be created. The last choice is pgtasker's own pgmq, by renaming tasker_pgmq to pgmq. Returns the kind, as tasker.pgmq_kind() does.

The command "alter database … set tasker.pgmq = 'own'" before migrating prevents the creation of the extension. Raises TK409 if schema pgmq contains something else.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/stage_pgmq.sql
create or replace function tasker.stage_pgmq()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := current_setting('role');
begin
  perform set_config('role', 'none', true);
  if tasker.pgmq_kind() = 'own' then
    alter schema pgmq rename to tasker_pgmq;
  else
    -- A dummy schema, which has only the types that the signatures of functions name.
    create schema tasker_pgmq authorization tasker_owner;
    perform set_config('role', 'tasker_owner', true);
    create type tasker_pgmq.message_record as (msg_id bigint);
    create type tasker_pgmq.queue_record as (queue_name varchar);
    create type tasker_pgmq.metrics_result as (queue_name text);
  end if;
  perform set_config('role', v_role, true);
  return tasker.pgmq_kind();
end;
$$;

comment on function tasker.stage_pgmq is
$$Renames pgtasker's pgmq back to tasker_pgmq, for a migration that changes one of its functions. Such a migration calls this function, replaces the function in tasker_pgmq, then calls tasker.settle_pgmq(). If another pgmq is in use, the schema is a dummy that tasker.settle_pgmq() drops again.

Locks no queue, but until the transaction ends no other session can call a function of pgmq.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/move_queue_to_extension.sql
create or replace function tasker.move_queue_to_extension(p_queue_name text, p_unlogged boolean)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue    text   := format('%I', lower('q_' || p_queue_name));
  v_archive  text   := format('%I', lower('a_' || p_queue_name));
  v_columns  text   := 'msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers';
  v_moved    bigint;
  v_archived bigint;
begin
  if p_unlogged then
    perform pgmq.create_unlogged(p_queue_name);
  else
    perform pgmq.create(p_queue_name);
  end if;

  execute format(
    'insert into pgmq.%1$s (%2$s) overriding system value select %2$s from pgmq_embedded.%1$s', v_queue, v_columns
  );
  get diagnostics v_moved = row_count;
  execute format(
    'insert into pgmq.%1$s (%2$s, archived_at) select %2$s, archived_at from pgmq_embedded.%1$s', v_archive, v_columns
  );
  get diagnostics v_archived = row_count;

  -- Ids continue after the last id of the old queue, so that no id is used twice.
  execute format(
    'select setval(%L, s.last_value, s.is_called) from %s as s',
    pg_get_serial_sequence('pgmq.' || v_queue, 'msg_id'), pg_get_serial_sequence('pgmq_embedded.' || v_queue, 'msg_id')
  );
  return v_moved + v_archived;
end;
$$;

comment on function tasker.move_queue_to_extension is
$$Recreates a queue of schema pgmq_embedded in schema pgmq, with its messages in flight, its archive and its id sequence. Returns how many messages it copied.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/move_pgmq_to_extension.sql
create or replace function tasker.move_pgmq_to_extension()
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue record;
  v_moved bigint := 0;
begin
  if tasker.pgmq_kind() <> 'own' then
    raise exception using
      errcode = 'TK409',
      message = 'schema "pgmq" was not installed by pgtasker',
      detail  = format('Its kind is "%s".', tasker.pgmq_kind()),
      hint    = 'There is nothing to move: pgtasker uses the existing pgmq.';
  end if;
  if not exists (
    select
      from pg_available_extensions as x
     where x.name = 'pgmq'
       and string_to_array(substring(x.default_version from '^[0-9]+[.][0-9]+'), '.')::integer[] >= '{1,11}'
  ) then
    raise exception using
      errcode = 'TK409',
      message = 'extension "pgmq" 1.11 or newer is not available on this server',
      hint    = 'Install its files on the server first: select * from pg_available_extensions.';
  end if;

  -- From here on, senders and readers wait. Afterwards they find the new tables under the old names.
  lock table pgmq.meta in access exclusive mode;
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    execute format(
      'lock table pgmq.%I, pgmq.%I in access exclusive mode',
      lower('q_' || v_queue.queue_name), lower('a_' || v_queue.queue_name)
    );
  end loop;

  alter schema pgmq rename to pgmq_embedded;
  create extension pgmq;

  for v_queue in
    select m.queue_name, m.is_unlogged from pgmq_embedded.meta as m order by m.created_at, m.queue_name
  loop
    v_moved := v_moved + tasker.move_queue_to_extension(v_queue.queue_name, v_queue.is_unlogged);
  end loop;
  update pgmq.meta as m
     set created_at = e.created_at
    from pgmq_embedded.meta as e
   where e.queue_name = m.queue_name;

  perform tasker.adopt_pgmq();
  return v_moved;
end;
$$;

comment on function tasker.move_pgmq_to_extension is
$$Moves from pgtasker's own pgmq to the extension, in the caller's transaction: creates the extension, and recreates every queue in it, with messages in flight, archive and ids. Returns how many messages it copied. The old schema is kept as pgmq_embedded: drop it when everything works.

The user who migrates calls this function. Locks all queues exclusively until the transaction ends. Raises TK409 if schema pgmq is not pgtasker's own or the extension is not available in version 1.11 or newer.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/drop_own_pgmq.sql
create or replace function tasker.drop_own_pgmq()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.pgmq_kind() <> 'own' then
    return false;
  end if;
  perform tasker.drop_schema_quietly('pgmq');
  return true;
end;
$$;

comment on function tasker.drop_own_pgmq is
$$Drops schema pgmq with all queues if pgtasker installed it. Keeps an extension or another role's pgmq and returns false.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000900', 'data/queue_settings 9fa9ed0cb6956e33
functions/kernel/queue/ensure_task_queue 11e592d2f12d4d73
functions/kernel/queue/extract_queue_namespace 21deaaba7bee036f
functions/kernel/queue/get_queue_statistics 62a08f682727420b
functions/kernel/queue/peek_queue 7d9c172275cee52c
functions/kernel/queue/pgmq_acknowledge_message 22b1f61d243d3ad5
functions/kernel/queue/pgmq_delete_messages 218991d338ed3fef
functions/kernel/queue/pgmq_ensure_headers_column 009d6bfec924b7a8
functions/kernel/queue/pgmq_hide_message 8a8a0d4bdca28c42
functions/kernel/queue/pgmq_kind 5b9d35d1981408ca
functions/kernel/queue/pgmq_read_specific_message f8bcfe04a853d262
functions/kernel/queue/pgmq_receive_messages 9a717a0056a63ed7
functions/kernel/queue/pgmq_send_batch_with_notify db30e44cc3bff980
functions/kernel/queue/pgmq_send_with_notify 9b6b67062a058a92
functions/kernel/queue/private/adopt_pgmq f8a394e525282e9c
functions/kernel/queue/private/announce_messages fc1f6cf1e8b20b7e
functions/kernel/queue/private/bury_messages 9cabfaffc1608a12
functions/kernel/queue/private/check_pgmq_access 88933ed1906810a4
functions/kernel/queue/private/check_queue_messages 39e7d4151b79cc1e
functions/kernel/queue/private/check_queue_name 51cf7dd91b9d7c03
functions/kernel/queue/private/check_receiving 2740e720b001d66b
functions/kernel/queue/private/drop_own_pgmq d1587d65ecd43860
functions/kernel/queue/private/drop_schema_quietly 45de2282f3b2f8e8
functions/kernel/queue/private/move_pgmq_to_extension c926ba603bb4a1a6
functions/kernel/queue/private/move_queue_to_extension 85e4d5db74c1c0ae
functions/kernel/queue/private/notify_queue 5e34658f921d59e9
functions/kernel/queue/private/pgmq_functions_are_trusted e3a54199b39ba230
functions/kernel/queue/private/pgmq_owner_is_trusted 6588a16c59922224
functions/kernel/queue/private/pgmq_table_is_trusted b43e9ee6d67c76be
functions/kernel/queue/private/queue_message_columns 7ae77edc8a935511
functions/kernel/queue/private/queue_statistics_of 3f30fdd30233301c
functions/kernel/queue/private/queue_table 3d05a8f1bf50fe83
functions/kernel/queue/private/send_messages e0afa535443987a5
functions/kernel/queue/private/settle_pgmq 5957e058e3a60b39
functions/kernel/queue/private/stage_pgmq 9e6f6109b6eff568
rows/kernel/queue/queue_messages c8d6d45b6ba287a7
rows/kernel/queue/queue_statistics 74d52e37c10d6282
tables/kernel/queue/queue_notifications e432498d77117d3e
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000900';

drop function tasker.drop_own_pgmq;
drop function tasker.move_pgmq_to_extension;
drop function tasker.move_queue_to_extension;
drop function tasker.stage_pgmq;
drop function tasker.settle_pgmq;
drop function tasker.adopt_pgmq;
drop function tasker.drop_schema_quietly;
drop function tasker.peek_queue;
drop function tasker.get_queue_statistics;
drop function tasker.queue_statistics_of;
drop function tasker.ensure_task_queue;
drop function tasker.pgmq_ensure_headers_column;
drop function tasker.pgmq_delete_messages;
drop function tasker.pgmq_hide_message;
drop function tasker.pgmq_acknowledge_message;
drop function tasker.pgmq_receive_messages;
drop function tasker.bury_messages;
drop function tasker.check_receiving;
drop function tasker.pgmq_read_specific_message;
drop function tasker.pgmq_send_batch_with_notify;
drop function tasker.announce_messages;
drop function tasker.send_messages;
drop function tasker.pgmq_send_with_notify;
drop function tasker.pgmq_kind;
drop function tasker.notify_queue;
drop function tasker.check_queue_messages;
drop function tasker.queue_message_columns;
drop function tasker.queue_table;
drop function tasker.pgmq_functions_are_trusted;
drop function tasker.pgmq_table_is_trusted;
drop function tasker.pgmq_owner_is_trusted;
drop function tasker.check_pgmq_access;
drop function tasker.check_queue_name;
drop function tasker.extract_queue_namespace;
drop view tasker.queue_statistics;
drop view tasker.queue_messages;
drop table tasker.queue_notifications;
delete from tasker.settings where name like 'queue\_notify\_%';

reset role;
