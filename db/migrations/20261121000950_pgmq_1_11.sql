-- pgmq_1_11: schema pgmq, unless the database has one or can have the extension
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/pgmq/schema.sql
-- down: nothing

-- pgtasker's own pgmq is created in the schema tasker_pgmq. The last file of this section, settle.sql, decides whether the
-- database uses it. If so, settle.sql renames the schema to pgmq, the name that the bodies of the functions use. Otherwise it
-- drops the schema. The migrating user creates the schema, because tasker_owner may not create schemas.
reset role;
create schema tasker_pgmq authorization tasker_owner;
set local role tasker_owner;

comment on schema tasker_pgmq is
  'pgtasker''s own pgmq. It offers the API of the extension pgmq 1.11, except topics, groups, notifications of inserts and partitioned queues.';

revoke all on schema tasker_pgmq from public;
grant usage on schema tasker_pgmq to pg_monitor;
-- <<<

-- >>> db/schema/pgmq/types/message_record.sql
-- down: nothing
create type tasker_pgmq.message_record as (
  msg_id        bigint,
  read_ct       integer,
  enqueued_at   timestamptz,
  last_read_at  timestamptz,
  vt            timestamptz,
  message       jsonb,
  headers       jsonb
);

comment on type tasker_pgmq.message_record is
  'A message as the function read returns it, with the columns of pgmq 1.10 and later.';
-- <<<

-- >>> db/schema/pgmq/types/queue_record.sql
-- down: nothing
create type tasker_pgmq.queue_record as (
  queue_name      varchar,
  is_partitioned  boolean,
  is_unlogged     boolean,
  created_at      timestamptz
);

comment on type tasker_pgmq.queue_record is
  'A queue as list_queues returns it.';
-- <<<

-- >>> db/schema/pgmq/types/metrics_result.sql
-- down: nothing
create type tasker_pgmq.metrics_result as (
  queue_name            text,
  queue_length          bigint,
  newest_msg_age_sec    integer,
  oldest_msg_age_sec    integer,
  total_messages        bigint,
  scrape_time           timestamptz,
  queue_visible_length  bigint
);

comment on type tasker_pgmq.metrics_result is
  'The figures of a queue. The age of a message counts from the time when it was sent, even if it became visible later.';
-- <<<

-- >>> db/schema/pgmq/tables/meta.sql
-- down: nothing
create table tasker_pgmq.meta (
  queue_name      varchar      not null,
  is_partitioned  boolean      not null,
  is_unlogged     boolean      not null,
  created_at      timestamptz  not null  default now(),

  constraint meta_queue_name_key
    unique (queue_name)
);

create unique index meta_table_idx on tasker_pgmq.meta (lower(queue_name));

comment on table tasker_pgmq.meta is
  'The queues. Each queue has a table q_<name> and an archive a_<name>, in lower case.';
comment on index tasker_pgmq.meta_table_idx is
  'Forbids two names that differ only in case, because both queues would have the same tables.';

revoke all on table tasker_pgmq.meta from public;
grant select on table tasker_pgmq.meta to pg_monitor;
-- <<<

-- >>> db/schema/pgmq/functions/format_table_name.sql
-- down: nothing
create or replace function tasker_pgmq.format_table_name(queue_name text, prefix text)
  returns text
  language plpgsql
  immutable
  parallel safe
as $$
begin
  -- Qualify names instead of setting a search_path, because almost every function of pgmq calls this function.
  if queue_name operator(pg_catalog.~) '[$;'']|--' then
    raise exception E'queue name contains invalid characters: $, ;, --, or \\''';
  end if;
  return pg_catalog.lower(prefix operator(pg_catalog.||) '_' operator(pg_catalog.||) queue_name);
end;
$$;

comment on function tasker_pgmq.format_table_name(text, text) is
$$Returns the name of a queue's table (prefix q) or of its archive (prefix a), in lower case and not quoted.

Raises an exception if the name contains one of the forbidden sequences: $, ;, -- or a single quote.$$;
-- <<<

-- >>> db/schema/pgmq/functions/validate_queue_name.sql
-- down: nothing
create or replace function tasker_pgmq.validate_queue_name(queue_name text)
  returns void
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  elsif queue_name = '' then
    raise exception 'queue name cannot be empty';
  elsif queue_name ~ '[^ -~]' or strpos(queue_name, '"') > 0 then
    raise exception 'queue name contains invalid characters: only printable ASCII without double quotes is allowed';
  end if;
end;
$$;

comment on function tasker_pgmq.validate_queue_name(text) is
$$Raises an exception if a new queue may not have this name. A name has up to 47 printable ASCII characters and no double quote. The function format_table_name forbids more characters, for all queues.$$;
-- <<<

-- >>> db/schema/pgmq/functions/acquire_queue_lock.sql
-- down: nothing
create or replace function tasker_pgmq.acquire_queue_lock(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name)));
end;
$$;

comment on function tasker_pgmq.acquire_queue_lock(text) is
$$Takes the lock for creating or dropping a queue. Waits for another transaction that has the lock, and keeps it until this transaction ends.$$;
-- <<<

-- >>> db/schema/pgmq/functions/_create_queue.sql
-- down: nothing
create or replace function tasker_pgmq._create_queue(queue_name text, unlogged boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue   text := format('%I', pgmq.format_table_name(queue_name, 'q'));
  v_archive text := format('%I', pgmq.format_table_name(queue_name, 'a'));
  v_owner   text;
  v_tables  text[];
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq.acquire_queue_lock(queue_name);

  if exists (
    select from pgmq.meta as m
     where lower(m.queue_name) = lower(_create_queue.queue_name)
       and m.queue_name <> _create_queue.queue_name
  ) then
    raise exception 'queue name "%" differs only in case from that of another queue', queue_name;
  end if;

  -- Query pg_class instead of to_regclass. The cache behind to_regclass may lack tables that another session created while
  -- this session waited for the lock.
  v_tables := array(
    select c.relname
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = 'pgmq'
       and c.relname in (pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'))
  );
  -- If the table exists, this statement raises a notice and refreshes the session's cache.
  execute format(
    $sql$
      create %1$s table if not exists pgmq.%2$s (
        msg_id        bigint       primary key generated always as identity,
        read_ct       integer      not null  default 0,
        enqueued_at   timestamptz  not null  default now(),
        last_read_at  timestamptz,
        vt            timestamptz  not null,
        message       jsonb,
        headers       jsonb
      ) with (
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_insert_scale_factor = 0.2,
        autovacuum_analyze_scale_factor = 0.05,
        autovacuum_vacuum_cost_delay = 1
      )
    $sql$,
    case when unlogged then 'unlogged' else '' end, v_queue
  );
  if pgmq.format_table_name(queue_name, 'q') <> all (v_tables) then
    execute format(
      'create index %I on pgmq.%s (vt, msg_id)', pgmq.format_table_name(queue_name, 'q') || '_vt_idx', v_queue
    );
  end if;

  if pgmq.format_table_name(queue_name, 'a') <> all (v_tables) then
    execute format(
      $sql$
        create table pgmq.%s (
          msg_id        bigint       primary key,
          read_ct       integer      not null  default 0,
          enqueued_at   timestamptz  not null  default now(),
          last_read_at  timestamptz,
          archived_at   timestamptz  not null  default now(),
          vt            timestamptz  not null,
          message       jsonb,
          headers       jsonb
        )
      $sql$,
      v_archive
    );
    execute format('create index %I on pgmq.%s (archived_at)', 'archived_at_idx_' || queue_name, v_archive);
  end if;

  -- Monitoring may read the queue, and the owner of the schema may use it, even if another role created it.
  select r.rolname into v_owner
    from pg_namespace as n join pg_roles as r on r.oid = n.nspowner
   where n.nspname = 'pgmq';
  if pg_get_userbyid((select c.relowner from pg_class as c where c.oid = to_regclass('pgmq.' || v_queue))) = current_user then
    execute format('grant select on table pgmq.%s, pgmq.%s to pg_monitor', v_queue, v_archive);
    execute format('grant all on table pgmq.%s, pgmq.%s to %I', v_queue, v_archive, v_owner);
    execute format('grant select on sequence %s to pg_monitor', pg_get_serial_sequence('pgmq.' || v_queue, 'msg_id'));
    execute format('grant all on sequence %s to %I', pg_get_serial_sequence('pgmq.' || v_queue, 'msg_id'), v_owner);
  end if;

  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
  values (_create_queue.queue_name, false, unlogged)
  on conflict do nothing;
end;
$$;

comment on function tasker_pgmq._create_queue(text, boolean) is
$$Creates the parts of a queue that do not exist yet: the table, the archive, their indexes, and the row in meta.

Idempotent. Raises an exception if the name is not valid, or differs only in case from the name of another queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create.sql
-- down: nothing
create or replace function tasker_pgmq.create(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._create_queue(queue_name, false);
end;
$$;

comment on function tasker_pgmq.create(text) is
$$Creates a queue. Does nothing if the queue exists.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create_non_partitioned.sql
-- down: nothing
create or replace function tasker_pgmq.create_non_partitioned(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._create_queue(queue_name, false);
end;
$$;

comment on function tasker_pgmq.create_non_partitioned(text) is
$$Creates a queue. Does nothing if the queue exists.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create_unlogged.sql
-- down: nothing
create or replace function tasker_pgmq.create_unlogged(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._create_queue(queue_name, true);
end;
$$;

comment on function tasker_pgmq.create_unlogged(text) is
$$Creates a queue whose messages are lost in a crash. The archive of the queue survives a crash. Does nothing if the queue exists.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create_partitioned.sql
-- down: nothing
create or replace function tasker_pgmq.create_partitioned(
  queue_name text,
  partition_interval text default '10000',
  retention_interval text default '100000'
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'pg_partman is required for partitioned queues';
end;
$$;

comment on function tasker_pgmq.create_partitioned(text, text, text) is
$$Raises an exception, because pgtasker does not offer partitioned queues. The extension raises the same exception if pg_partman is not installed.$$;
-- <<<

-- >>> db/schema/pgmq/functions/drop_queue.sql
-- down: nothing
create or replace function tasker_pgmq.drop_queue(queue_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue   text := pgmq.format_table_name(queue_name, 'q');
  v_archive text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.acquire_queue_lock(queue_name);

  delete from pgmq.meta as m where lower(m.queue_name) = lower(drop_queue.queue_name);
  if not found and to_regclass('pgmq.' || quote_ident(v_queue)) is null then
    raise notice 'pgmq queue `%` does not exist', queue_name;
    return false;
  end if;

  if to_regclass(format('pgmq.%I', v_queue)) is not null then
    execute format('drop table pgmq.%I', v_queue);
  end if;
  if to_regclass(format('pgmq.%I', v_archive)) is not null then
    execute format('drop table pgmq.%I', v_archive);
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.drop_queue(text) is
$$Drops a queue with its messages and its archive. If the queue does not exist, returns false and raises a notice.$$;

create or replace function tasker_pgmq.drop_queue(queue_name text, partitioned boolean)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. Use drop_queue(queue_name) instead';
  return pgmq.drop_queue(queue_name);
end;
$$;

comment on function tasker_pgmq.drop_queue(text, boolean) is
$$Does the same as drop_queue(queue_name), and raises a warning that this form is deprecated.$$;
-- <<<

-- >>> db/schema/pgmq/functions/detach_archive.sql
-- down: nothing
create or replace function tasker_pgmq.detach_archive(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise warning 'detach_archive(queue_name) is deprecated and is a no-op. It will be removed in PGMQ v2.0. Archive tables are no longer member objects.';
end;
$$;

comment on function tasker_pgmq.detach_archive(text) is
$$Does nothing except raise a warning, because archives are not members of an extension.$$;
-- <<<

-- >>> db/schema/pgmq/functions/list_queues.sql
-- down: nothing
create or replace function tasker_pgmq.list_queues()
  returns setof tasker_pgmq.queue_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at
    from pgmq.meta as m
   order by m.created_at, m.queue_name;
end;
$$;

comment on function tasker_pgmq.list_queues() is
$$Returns all queues, oldest first.$$;
-- <<<

-- >>> db/schema/pgmq/functions/metrics.sql
-- down: nothing
create or replace function tasker_pgmq.metrics(queue_name text)
  returns tasker_pgmq.metrics_result
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table  text        := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_now    timestamptz := clock_timestamp();
  v_result record;
begin
  -- The counts need only the index (vt, msg_id). The two ages come from the first and the last row of the primary key.
  execute format(
    $sql$
      select $2 as queue_name,
             count(*) as queue_length,
             extract(epoch from $1 - (select n.enqueued_at from %1$s as n order by n.msg_id desc limit 1))::integer as newest,
             extract(epoch from $1 - (select o.enqueued_at from %1$s as o order by o.msg_id limit 1))::integer as oldest,
             coalesce(pg_sequence_last_value(pg_get_serial_sequence($3, 'msg_id')::regclass), 0) as total_messages,
             $1 as scrape_time,
             count(*) filter (where q.vt <= $1) as visible
        from %1$s as q
    $sql$,
    v_table
  ) into v_result using v_now, queue_name, v_table;
  return v_result;
end;
$$;

comment on function tasker_pgmq.metrics(text) is
$$Returns the figures of a queue: the exact numbers of all messages and of visible messages, the seconds since the newest and the oldest message were sent (null if the queue is empty), and the number of messages ever sent.$$;
-- <<<

-- >>> db/schema/pgmq/functions/metrics_all.sql
-- down: nothing
create or replace function tasker_pgmq.metrics_all()
  returns setof tasker_pgmq.metrics_result
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    return next pgmq.metrics(v_queue);
  end loop;
end;
$$;

comment on function tasker_pgmq.metrics_all() is
$$Returns the figures of all queues, in the order of their names.$$;
-- <<<

-- >>> db/schema/pgmq/functions/purge_queue.sql
-- down: nothing
create or replace function tasker_pgmq.purge_queue(queue_name text)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_timeout text := current_setting('lock_timeout');
  v_many    boolean;
  v_count   bigint;
begin
  execute format('select exists (select from %s offset 10000)', v_table) into v_many;

  -- A truncation waits for every other transaction on the queue, and all later transactions wait for it. So truncate only a
  -- long queue, and only if the lock is available within 200 milliseconds.
  if v_many then
    begin
      perform set_config('lock_timeout', '200ms', true);
      execute format('lock table only %s in access exclusive mode', v_table);
      execute format('select count(*) from %s', v_table) into v_count;
      execute format('truncate table %s', v_table);
      perform set_config('lock_timeout', v_timeout, true);
      return v_count;
    exception
      when lock_not_available or insufficient_privilege then
        null;
    end;
  end if;

  execute format('delete from %s', v_table);
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasker_pgmq.purge_queue(text) is
$$Deletes all messages of a queue and returns how many it deleted. Keeps the archive, and does not reset the ids of messages.

Truncates a queue of more than 10,000 messages if no other session is using the queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/_validate_batch_params.sql
-- down: nothing
create or replace function tasker_pgmq._validate_batch_params(msgs jsonb[], headers jsonb[])
  returns void
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(cardinality(msgs), 0) = 0 then
    raise exception 'msgs cannot be NULL or empty';
  elsif cardinality(headers) <> cardinality(msgs) then
    raise exception 'headers array length (%) must match msgs array length (%)', cardinality(headers), cardinality(msgs);
  end if;
end;
$$;

comment on function tasker_pgmq._validate_batch_params(jsonb[], jsonb[]) is
$$Raises an exception if there are no messages, or if the number of headers differs from the number of messages.$$;
-- <<<

-- >>> db/schema/pgmq/functions/_send_batch.sql
-- down: nothing
create or replace function tasker_pgmq._send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._validate_batch_params(msgs, headers);

  if headers is null then
    return query execute format(
      'insert into pgmq.%I (vt, message) select $1, u.message from unnest($2) as u (message) returning msg_id',
      pgmq.format_table_name(queue_name, 'q')
    ) using delay, msgs;
  else
    return query execute format(
      'insert into pgmq.%I (vt, message, headers) select $1, u.message, u.headers from unnest($2, $3) as u (message, headers) returning msg_id',
      pgmq.format_table_name(queue_name, 'q')
    ) using delay, msgs, headers;
  end if;
end;
$$;

comment on function tasker_pgmq._send_batch(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages in the order of the array and returns their ids in ascending order. All messages become visible at the time that is given as delay.$$;
-- <<<

-- >>> db/schema/pgmq/functions/send.sql
-- down: nothing
create or replace function tasker_pgmq.send(queue_name text, msg jsonb)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp(), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb) is
$$Sends a message that is visible at once, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values (clock_timestamp(), $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb) is
$$Sends a message with headers. The message is visible at once. Returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, delay integer)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp() + make_interval(secs => $2), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, integer) is
$$Sends a message that becomes visible after the given number of seconds, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, delay timestamptz)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values ($2, $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, timestamptz) is
$$Sends a message that becomes visible at the time that is given as delay, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values (clock_timestamp() + make_interval(secs => $3), $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb, integer) is
$$Sends a message with headers. The message becomes visible after the given number of seconds. Returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values ($3, $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb, timestamptz) is
$$Sends a message with headers. The message becomes visible at the time that is given as delay. Returns its id.$$;
-- <<<

-- >>> db/schema/pgmq/functions/send_batch.sql
-- down: nothing
create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, clock_timestamp()) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[]) is
$$Sends messages that are visible at once, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, clock_timestamp()) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[]) is
$$Sends messages with headers. The messages are visible at once. Returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], delay integer)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay)) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], integer) is
$$Sends messages that become visible after the given number of seconds, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, delay) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], timestamptz) is
$$Sends messages that become visible at the time that is given as delay, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[], integer) is
$$Sends messages with headers. The messages become visible after the given number of seconds. Returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, delay) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages with headers. The messages become visible at the time that is given as delay. Returns their ids in the order of the array.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read.sql
-- down: nothing
create or replace function tasker_pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  set jit = off
as $$
declare
  -- Read the clock once and pass the time as a parameter. PostgreSQL cannot search the index for clock_timestamp(), which is
  -- volatile.
  v_now timestamptz := clock_timestamp();
begin
  -- The subquery runs once, before the update. The update then finds the rows by the primary key, in the order of their ids.
  return query execute format(
    $sql$
      update pgmq.%1$I as q
         set vt           = $3,
             read_ct      = q.read_ct + 1,
             last_read_at = $1
       where q.msg_id = any (array(
               select d.msg_id
                 from pgmq.%1$I as d
                where d.vt <= $1
                  %2$s
                order by d.vt, d.msg_id
                limit $2
                  for update skip locked
             ))
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q'),
    case when conditional <> '{}' then 'and d.message @> $4' else '' end
  ) using v_now, qty, v_now + make_interval(secs => vt), conditional;
end;
$$;

comment on function tasker_pgmq.read(text, integer, integer, jsonb) is
$$Returns up to qty visible messages in the order of their ids, and hides them for the number of seconds in vt. Takes the messages that have been visible longest.

With conditional, returns only messages that contain this JSON. Skips messages that another transaction is taking. The number of hidden messages does not change the cost of a call.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_with_poll.sql
-- down: nothing
create or replace function tasker_pgmq.read_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100,
  conditional jsonb default '{}'
)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    if clock_timestamp() >= v_until then
      return;
    end if;
    return query select r.* from pgmq.read(queue_name, vt, qty, conditional) as r;
    if found then
      return;
    end if;
    perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
  end loop;
end;
$$;

comment on function tasker_pgmq.read_with_poll(text, integer, integer, integer, integer, jsonb) is
$$Calls the function read every poll_interval_ms milliseconds until it returns a message, for at most max_poll_seconds seconds.

Keeps its transaction open all that time, so that vacuum cannot remove rows that were deleted meanwhile. LISTEN and then read is better.$$;
-- <<<

-- >>> db/schema/pgmq/functions/pop.sql
-- down: nothing
create or replace function tasker_pgmq.pop(queue_name text, qty integer default 1)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  set jit = off
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query execute format(
    $sql$
      delete from pgmq.%1$I as q
       where q.msg_id = any (array(
               select d.msg_id
                 from pgmq.%1$I as d
                where d.vt <= $1
                order by d.vt, d.msg_id
                limit $2
                  for update skip locked
             ))
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using v_now, qty;
end;
$$;

comment on function tasker_pgmq.pop(text, integer) is
$$Deletes up to qty visible messages from the queue and returns them. Takes the messages that have been visible longest.$$;
-- <<<

-- >>> db/schema/pgmq/functions/set_vt.sql
-- down: nothing
create or replace function tasker_pgmq.set_vt(queue_name text, msg_id bigint, vt integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    $sql$
      update pgmq.%I as q
         set vt = clock_timestamp() + make_interval(secs => $2)
       where q.msg_id = $1
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_id, vt;
end;
$$;

comment on function tasker_pgmq.set_vt(text, bigint, integer) is
$$Makes a message visible after the given number of seconds, and returns the message. Returns no row if the message is not in the queue.$$;

create or replace function tasker_pgmq.set_vt(queue_name text, msg_id bigint, vt timestamptz)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    $sql$
      update pgmq.%I as q
         set vt = $2
       where q.msg_id = $1
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_id, vt;
end;
$$;

comment on function tasker_pgmq.set_vt(text, bigint, timestamptz) is
$$Makes a message visible at the time that is given as vt, and returns the message. Returns no row if the message is not in the queue.$$;

create or replace function tasker_pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set jit = off
as $$
begin
  return query execute format(
    $sql$
      update pgmq.%I as q
         set vt = clock_timestamp() + make_interval(secs => $2)
       where q.msg_id = any ($1)
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids, vt;
end;
$$;

comment on function tasker_pgmq.set_vt(text, bigint[], integer) is
$$Makes messages visible after the given number of seconds, and returns the messages. Skips ids that are not in the queue.$$;

create or replace function tasker_pgmq.set_vt(queue_name text, msg_ids bigint[], vt timestamptz)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set jit = off
as $$
begin
  return query execute format(
    $sql$
      update pgmq.%I as q
         set vt = $2
       where q.msg_id = any ($1)
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids, vt;
end;
$$;

comment on function tasker_pgmq.set_vt(text, bigint[], timestamptz) is
$$Makes messages visible at the time that is given as vt, and returns the messages. Skips ids that are not in the queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/delete.sql
-- down: nothing
create or replace function tasker_pgmq.delete(queue_name text, msg_id bigint)
  returns boolean
  language plpgsql
as $$
declare
  v_id bigint;
begin
  -- Qualify names instead of setting a search_path, which would be a tenth of the cost of a call.
  execute pg_catalog.format(
    'delete from pgmq.%I as q where q.msg_id operator(pg_catalog.=) $1 returning q.msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) into v_id using msg_id;
  return v_id is not null;
end;
$$;

comment on function tasker_pgmq.delete(text, bigint) is
$$Deletes a message. Returns false if the message is not in the queue.$$;

create or replace function tasker_pgmq.delete(queue_name text, msg_ids bigint[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set jit = off
as $$
begin
  return query execute format(
    'delete from pgmq.%I as q where q.msg_id = any ($1) returning q.msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids;
end;
$$;

comment on function tasker_pgmq.delete(text, bigint[]) is
$$Deletes messages and returns the ids of the deleted messages. Skips ids that are not in the queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/archive.sql
-- down: nothing
create or replace function tasker_pgmq.archive(queue_name text, msg_id bigint)
  returns boolean
  language plpgsql
as $$
declare
  v_id bigint;
begin
  -- Qualify names instead of setting a search_path, as in delete.
  execute pg_catalog.format(
    $sql$
      with moved as (
        delete from pgmq.%1$I as q
         where q.msg_id operator(pg_catalog.=) $1
        returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
      )
      insert into pgmq.%2$I (msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers)
      select m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers
        from moved as m
      returning msg_id
    $sql$,
    pgmq.format_table_name(queue_name, 'q'),
    pgmq.format_table_name(queue_name, 'a')
  ) into v_id using msg_id;
  return v_id is not null;
end;
$$;

comment on function tasker_pgmq.archive(text, bigint) is
$$Moves a message to the queue's archive. Returns false if the message is not in the queue.$$;

create or replace function tasker_pgmq.archive(queue_name text, msg_ids bigint[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set jit = off
as $$
begin
  return query execute format(
    $sql$
      with moved as (
        delete from pgmq.%1$I as q
         where q.msg_id = any ($1)
        returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
      )
      insert into pgmq.%2$I (msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers)
      select m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers
        from moved as m
      returning msg_id
    $sql$,
    pgmq.format_table_name(queue_name, 'q'),
    pgmq.format_table_name(queue_name, 'a')
  ) using msg_ids;
end;
$$;

comment on function tasker_pgmq.archive(text, bigint[]) is
$$Moves messages to the queue's archive and returns the ids of the moved messages. Skips ids that are not in the queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/_pgtasker_version.sql
-- down: nothing
create or replace function tasker_pgmq._pgtasker_version()
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select '1.11'::text;
end;

comment on function tasker_pgmq._pgtasker_version() is
$$Returns the version of the extension pgmq whose API these functions offer. The function exists only in pgtasker's own pgmq, and so identifies it.$$;
-- <<<

-- >>> db/schema/pgmq/settle.sql
-- down: select tasker.drop_own_pgmq();
-- As in the extension, a role that may use the schema may execute its functions.
grant execute on all functions in schema tasker_pgmq to public;
select tasker.settle_pgmq();
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000950', 'pgmq/functions/_create_queue 77ef611c0850f4f1
pgmq/functions/_pgtasker_version d6150641e01e8493
pgmq/functions/_send_batch 4357841459982697
pgmq/functions/_validate_batch_params 1ac9b2a627279021
pgmq/functions/acquire_queue_lock a711612ad1787aec
pgmq/functions/archive 21d0b35886074073
pgmq/functions/create b685f467f7333488
pgmq/functions/create_non_partitioned 57349bca4272b3c5
pgmq/functions/create_partitioned 4ba839c4d7f25568
pgmq/functions/create_unlogged f3e4515a527051c5
pgmq/functions/delete 22f4c4e6171ee5b3
pgmq/functions/detach_archive 0a60804f98d28814
pgmq/functions/drop_queue 06a12b5b37b5ec28
pgmq/functions/format_table_name 9f7c52527088594d
pgmq/functions/list_queues e27d0dff4dcbf417
pgmq/functions/metrics 5d5bcd7e823d8354
pgmq/functions/metrics_all ecccfa7a4b2a3508
pgmq/functions/pop 9b4c950c9ea53eac
pgmq/functions/purge_queue a56c95b917e02522
pgmq/functions/read 868e9b34cef694dd
pgmq/functions/read_with_poll 3dd363767cb92675
pgmq/functions/send 5536b2c327a3f05b
pgmq/functions/send_batch e37ab43512440991
pgmq/functions/set_vt e5b2ba1c80dc173e
pgmq/functions/validate_queue_name fc5c26be689e3d06
pgmq/schema d56983e3c98cb762
pgmq/settle 7c5f66ad281ff2aa
pgmq/tables/meta 636db195f227fb29
pgmq/types/message_record 05894c66e539cddd
pgmq/types/metrics_result 3e5f6a75b7542ed0
pgmq/types/queue_record 386a4b8a7efa7260
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000950';

select tasker.drop_own_pgmq();

reset role;
