-- pgmq_1_11: schema pgmq, unless the database has one or can have the extension
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/pgmq/schema.sql
-- down: nothing

-- This project's pgmq is built under another name. settle.sql, the last file of the section, decides
-- whether the database uses it: then the schema is renamed to pgmq, which is what the functions'
-- bodies say; else it goes again. tasker_owner may not create schemas, so the migrating user does.
reset role;
create schema tasker_pgmq authorization tasker_owner;
set local role tasker_owner;

comment on schema tasker_pgmq is
  'pgmq as pgtasker brings it: the API of the extension pgmq 1.11, without partitioned queues.';

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
  'A message as reading returns it, with the columns of pgmq 1.10 and later.';
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
  'The figures of a queue. The ages count from the sending, whatever the visibility time.';
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
  'The queues. Each has a table q_<name> and an archive a_<name>, in lower case.';
comment on index tasker_pgmq.meta_table_idx is
  'Two names that differ in case only would share their tables.';

revoke all on table tasker_pgmq.meta from public;
grant select on table tasker_pgmq.meta to pg_monitor;
-- <<<

-- >>> db/schema/pgmq/tables/notify_insert_throttle.sql
-- down: nothing
create unlogged table tasker_pgmq.notify_insert_throttle (
  queue_name            varchar      not null,
  throttle_interval_ms  integer      not null  default 0,
  last_notified_at      timestamptz  not null  default to_timestamp(0),

  constraint notify_insert_throttle_queue_name_key
    unique (queue_name),
  constraint notify_insert_throttle_meta_queue_name_fk
    foreign key (queue_name) references tasker_pgmq.meta (queue_name) on delete cascade
)
with (fillfactor = 50);

comment on table tasker_pgmq.notify_insert_throttle is
  'The queues whose inserts notify, and how often at most. Empty after a crash: then there is no throttle.';

revoke all on table tasker_pgmq.notify_insert_throttle from public;
grant select on table tasker_pgmq.notify_insert_throttle to pg_monitor;
-- <<<

-- >>> db/schema/pgmq/tables/topic_bindings.sql
-- down: nothing
create table tasker_pgmq.topic_bindings (
  pattern         text         not null,
  queue_name      text         not null,
  bound_at        timestamptz  not null  default now(),
  compiled_regex  text         generated always as (
    '^' || replace(replace(replace(pattern, '.', '\.'), '*', '[^.]+'), '#', '.*') || '$'
  ) stored,

  constraint topic_bindings_unique_pattern_queue
    unique (pattern, queue_name),
  constraint topic_bindings_meta_queue_name_fk
    foreign key (queue_name) references tasker_pgmq.meta (queue_name) on delete cascade
);

create index topic_bindings_queue_idx on tasker_pgmq.topic_bindings (queue_name);

comment on table tasker_pgmq.topic_bindings is
  'Which queues get the messages of which routing keys: * stands for one segment, # for any rest.';
comment on index tasker_pgmq.topic_bindings_queue_idx is
  'Serves dropping a queue and listing its bindings.';

revoke all on table tasker_pgmq.topic_bindings from public;
grant select on table tasker_pgmq.topic_bindings to pg_monitor;
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
  -- Names qualified in place of a search_path: every call of pgmq comes through here.
  if queue_name operator(pg_catalog.~) '[$;'']|--' then
    raise exception E'queue name contains invalid characters: $, ;, --, or \\''';
  end if;
  return pg_catalog.lower(prefix operator(pg_catalog.||) '_' operator(pg_catalog.||) queue_name);
end;
$$;

comment on function tasker_pgmq.format_table_name(text, text) is
$$The name of a queue's table: prefix q, or of its archive: prefix a. Always in lower case, not quoted.

Raises for a name with one of the forbidden sequences.$$;
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
$$Raises unless the name is one that a new queue may have: up to 47 printable ASCII characters, no double quote. What is forbidden in every name, format_table_name refuses.$$;
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
$$Waits until no other transaction creates or drops the queue, and keeps others from it until this one ends.$$;
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

  -- to_regclass would answer from this session's cache, which does not know yet what was made while it waited for the lock.
  v_tables := array(
    select c.relname
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = 'pgmq'
       and c.relname in (pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'))
  );
  -- Says so if it is there, and renews the cache.
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

  -- Whichever role creates a queue, monitoring can read it and the owner of the schema can use it.
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
$$Creates what a queue lacks: table, archive, indexes, the row in meta.

Idempotent. Raises for a name that no queue may have, and for one that differs from another queue's only in case.$$;
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
$$Makes a queue. Nothing happens if it is there.$$;
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
$$Makes a queue. Nothing happens if it is there.$$;
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
$$Makes a queue whose messages are lost in a crash; its archive is not. Nothing happens if the queue is there.$$;
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
$$Not offered here: always answers as the extension does without pg_partman.$$;
-- <<<

-- >>> db/schema/pgmq/functions/convert_archive_partitioned.sql
-- down: nothing
create or replace function tasker_pgmq.convert_archive_partitioned(
  table_name text,
  partition_interval text default '10000',
  retention_interval text default '100000',
  leading_partition integer default 10
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_archive text := pgmq.format_table_name(table_name, 'a');
begin
  if to_regclass(format('pgmq.%I', v_archive)) is null then
    raise notice 'Table % does not exist', v_archive;
    return;
  end if;
  raise exception 'pg_partman is required for partitioned queues';
end;
$$;

comment on function tasker_pgmq.convert_archive_partitioned(text, text, text, integer) is
$$Not offered here: answers as the extension does without pg_partman, or with a notice if there is no such archive.$$;
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
$$Drops a queue with its messages, its archive and its bindings. False, with a notice, if there is none.$$;

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
$$The old form of drop_queue(queue_name), with a warning.$$;
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
$$Does nothing, with a warning: archives are not members of an extension.$$;
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
$$All queues, oldest first.$$;
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
  -- The counts need no more than the index (vt, msg_id); the ages are looked up at the ends of the key.
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
$$The figures of a queue: exact lengths, ages in seconds since the sending of the newest and the oldest message (null if there is none), messages ever sent.$$;
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
$$The figures of all queues, by name.$$;
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

  -- A truncation waits for every other transaction on the queue, and all later ones wait for it:
  -- only where it saves much, and only if it comes at once.
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
$$Empties the queue and returns how many messages it had. The archive stays, and so does the count for the next id.

Truncates a long queue if no other session uses it at that moment.$$;
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
$$Raises unless there are messages and, if there are headers, as many.$$;
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
$$Sends messages in the order of the array, all visible from the same moment, and returns their ids, ascending.$$;
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
$$Sends a message, visible at once, and returns its id.$$;

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
$$Sends a message with headers, visible at once, and returns its id.$$;

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
$$Sends a message that becomes visible after so many seconds, and returns its id.$$;

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
$$Sends a message that becomes visible at a time, and returns its id.$$;

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
$$Sends a message with headers that becomes visible after so many seconds, and returns its id.$$;

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
$$Sends a message with headers that becomes visible at a time, and returns its id.$$;
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
$$Sends messages, visible at once, and returns their ids in the order of the array.$$;

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
$$Sends messages, each with its headers, visible at once, and returns their ids in the order of the array.$$;

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
$$Sends messages that become visible after so many seconds, and returns their ids in the order of the array.$$;

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
$$Sends messages that become visible at a time, and returns their ids in the order of the array.$$;

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
$$Sends messages, each with its headers, that become visible after so many seconds, and returns their ids in the order of the array.$$;

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
$$Sends messages, each with its headers, that become visible at a time, and returns their ids in the order of the array.$$;
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
  -- One instant for the whole call: as a parameter it can be looked up in the index, which the
  -- volatile clock_timestamp() cannot.
  v_now timestamptz := clock_timestamp();
begin
  -- The subquery runs once, before the update; the ids come out of the key's index in their order.
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
$$Takes up to qty visible messages and hides them for vt seconds, those first that have been visible longest. Returned by id.

With conditional, only messages that contain it. Messages that another transaction is taking are passed over. Costs the same behind any number of invisible messages.$$;
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
$$Reads like read, again and again until there is a message or the seconds are over.

Holds a snapshot of the server for as long, so that nothing can be cleaned up: LISTEN and read is better.$$;
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
$$Takes up to qty visible messages out of the queue for good, those first that have been visible longest. Returned by id.$$;
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
$$Makes a message visible again after so many seconds from now, and returns it. No row if it is not there.$$;

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
$$Makes a message visible again at a time, and returns it. No row if it is not there.$$;

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
$$Makes messages visible again after so many seconds from now, and returns those that are there.$$;

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
$$Makes messages visible again at a time, and returns those that are there.$$;
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
  -- Qualified names in place of a search_path, which would be a tenth of the call's cost.
  execute pg_catalog.format(
    'delete from pgmq.%I as q where q.msg_id operator(pg_catalog.=) $1 returning q.msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) into v_id using msg_id;
  return v_id is not null;
end;
$$;

comment on function tasker_pgmq.delete(text, bigint) is
$$Deletes a message. False if it is not there.$$;

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
$$Deletes messages and returns the ids of those that were there.$$;
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
  -- Qualified names in place of a search_path, as in delete.
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
$$Moves a message to the queue's archive. False if it is not in the queue.$$;

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
$$Moves messages to the queue's archive and returns the ids of those that were in the queue.$$;
-- <<<

-- >>> db/schema/pgmq/functions/_claim_groups.sql
-- down: nothing
create or replace function tasker_pgmq._claim_groups(queue_name text, vt integer, qty integer, layout text)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_table  text        := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_now    timestamptz := clock_timestamp();
  v_heads  bigint[]    := '{}';
  v_filled bigint      := 0;
  v_head   record;
  v_cursor refcursor;
begin
  -- No number is none, but all of the heads; so answers the extension.
  if layout <> 'head' then
    qty := coalesce(qty, 0);
  end if;
  if layout = 'rr' then
    qty := greatest(qty, 0);
  end if;

  -- A group belongs to the reader that locks its oldest message, and is skipped while that one is locked
  -- or hidden. No more groups are locked than fill the batch.
  open v_cursor for execute format(
    $sql$
      select h.msg_id, g.visible
        from (
          select min(q.msg_id) as head, count(*) filter (where q.vt <= $1) as visible
            from %1$s as q
           group by q.headers ->> 'x-pgmq-group'
        ) as g
        join %1$s as h on h.msg_id = g.head
       where h.vt <= $1
       order by h.msg_id
       limit $2
         for update of h skip locked
    $sql$,
    v_table
  ) using v_now, qty;
  loop
    exit when layout = 'fill' and v_filled >= qty;
    fetch v_cursor into v_head;
    exit when not found;
    v_heads  := v_heads || v_head.msg_id;
    v_filled := v_filled + v_head.visible;
  end loop;
  close v_cursor;

  -- One of each group is all that is asked for, or all that the batch takes: these are the heads.
  if layout = 'head' or layout = 'rr' and cardinality(v_heads) >= qty then
    return query execute format(
      $sql$
        with claimed as (
          update %s as q
             set vt           = $2,
                 read_ct      = q.read_ct + 1,
                 last_read_at = $1
           where q.msg_id = any ($3)
          returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
        )
        select c.* from claimed as c order by c.msg_id
      $sql$,
      v_table
    ) using v_now, v_now + make_interval(secs => vt), v_heads;
    return;
  end if;

  return query execute format(
    $sql$
      with members as (
        select q.msg_id, h.msg_id as head, row_number() over (partition by h.msg_id order by q.msg_id) as layer
          from %1$s as q
          join %1$s as h
            on coalesce(h.headers ->> 'x-pgmq-group', '') = coalesce(q.headers ->> 'x-pgmq-group', '')
           and (h.headers ->> 'x-pgmq-group' is null) = (q.headers ->> 'x-pgmq-group' is null)
         where h.msg_id = any ($4)
           and q.vt <= $1
      ), picked as materialized (
        select m.msg_id, m.head, m.layer
          from members as m
         order by case when $5 = 'fill' then 0 else m.layer end, m.head, m.layer
         limit $2
      ), claimed as (
        update %1$s as q
           set vt           = $1 + make_interval(secs => $3),
               read_ct      = q.read_ct + 1,
               last_read_at = $1
          from picked as p
         where q.msg_id = p.msg_id
           and q.vt <= $1
        returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers, p.layer, p.head
      )
      select c.msg_id, c.read_ct, c.enqueued_at, c.last_read_at, c.vt, c.message, c.headers
        from claimed as c
       order by case when $5 = 'rr' then c.layer end, case when $5 = 'rr' then c.head end, c.msg_id
    $sql$,
    v_table
  ) using v_now, qty, vt, v_heads, layout;
end;
$$;

comment on function tasker_pgmq._claim_groups(text, integer, integer, text) is
$$Takes messages of groups (header x-pgmq-group; those without it are one group) and hides them for vt seconds.

Only from groups whose oldest message is visible, and that no other reader is taking from. Layout fill: the oldest group's messages, then the next one's; rr: one of each group, then a second of each; head: one of each.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_grouped.sql
-- down: nothing
create or replace function tasker_pgmq.read_grouped(queue_name text, vt integer, qty integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from pgmq._claim_groups(queue_name, vt, qty, 'fill') as r;
end;
$$;

comment on function tasker_pgmq.read_grouped(text, integer, integer) is
$$Takes up to qty visible messages, all of the oldest group first, then of the next; hides them for vt seconds. Returned by id.

A group is the messages with the same header x-pgmq-group, in the order of sending; while one of them is hidden, those after it wait.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_grouped_rr.sql
-- down: nothing
create or replace function tasker_pgmq.read_grouped_rr(queue_name text, vt integer, qty integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from pgmq._claim_groups(queue_name, vt, qty, 'rr') as r;
end;
$$;

comment on function tasker_pgmq.read_grouped_rr(text, integer, integer) is
$$Takes up to qty visible messages, one of each group, then a second of each, and so on; hides them for vt seconds. Returned in that order.

A group is the messages with the same header x-pgmq-group, in the order of sending; while one of them is hidden, those after it wait.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_grouped_head.sql
-- down: nothing
create or replace function tasker_pgmq.read_grouped_head(queue_name text, vt integer, qty integer)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from pgmq._claim_groups(queue_name, vt, qty, 'head') as r;
end;
$$;

comment on function tasker_pgmq.read_grouped_head(text, integer, integer) is
$$Takes the oldest message of up to qty groups and hides them for vt seconds. Returned by id.

A group is the messages with the same header x-pgmq-group, in the order of sending; while one of them is hidden, those after it wait.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_grouped_with_poll.sql
-- down: nothing
create or replace function tasker_pgmq.read_grouped_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100
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
    return query select r.* from pgmq.read_grouped(queue_name, vt, qty) as r;
    if found then
      return;
    end if;
    perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
  end loop;
end;
$$;

comment on function tasker_pgmq.read_grouped_with_poll(text, integer, integer, integer, integer) is
$$Reads like read_grouped, again and again until there is a message or the seconds are over. Holds a snapshot of the server for as long.$$;
-- <<<

-- >>> db/schema/pgmq/functions/read_grouped_rr_with_poll.sql
-- down: nothing
create or replace function tasker_pgmq.read_grouped_rr_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100
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
    return query select r.* from pgmq.read_grouped_rr(queue_name, vt, qty) as r;
    if found then
      return;
    end if;
    perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
  end loop;
end;
$$;

comment on function tasker_pgmq.read_grouped_rr_with_poll(text, integer, integer, integer, integer) is
$$Reads like read_grouped_rr, again and again until there is a message or the seconds are over. Holds a snapshot of the server for as long.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create_fifo_index.sql
-- down: nothing
create or replace function tasker_pgmq.create_fifo_index(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    $sql$create index if not exists %I on pgmq.%I ((headers ->> 'x-pgmq-group'), msg_id)$sql$,
    pgmq.format_table_name(queue_name, 'q') || '_fifo_idx', pgmq.format_table_name(queue_name, 'q')
  );
end;
$$;

comment on function tasker_pgmq.create_fifo_index(text) is
$$Adds the index that serves the grouped reads of a queue. Nothing happens, with a notice, if it is there.$$;
-- <<<

-- >>> db/schema/pgmq/functions/create_fifo_indexes_all.sql
-- down: nothing
create or replace function tasker_pgmq.create_fifo_indexes_all()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    perform pgmq.create_fifo_index(v_queue);
  end loop;
end;
$$;

comment on function tasker_pgmq.create_fifo_indexes_all() is
$$Adds the index that serves grouped reads to all queues.$$;
-- <<<

-- >>> db/schema/pgmq/functions/notify_queue_listeners.sql
-- down: nothing
create or replace function tasker_pgmq.notify_queue_listeners()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_throttle record;
begin
  select t.queue_name, t.throttle_interval_ms, t.last_notified_at
    into v_throttle
    from pgmq.notify_insert_throttle as t
   where lower(t.queue_name) = substr(tg_table_name, 3);

  if v_throttle.throttle_interval_ms > 0 then
    if v_throttle.last_notified_at > clock_timestamp() - v_throttle.throttle_interval_ms * interval '1 millisecond' then
      return null;
    end if;
    -- Record the notification unless another session is recording one: no sender waits for another transaction.
    update pgmq.notify_insert_throttle as t
       set last_notified_at = clock_timestamp()
     where t.queue_name = (
       select n.queue_name
         from pgmq.notify_insert_throttle as n
        where n.queue_name = v_throttle.queue_name
          for update skip locked
     );
  end if;
  perform pg_notify('pgmq.' || tg_table_name || '.' || tg_op, null);
  return null;
end;
$$;

comment on function tasker_pgmq.notify_queue_listeners() is
$$Trigger: tells the channel pgmq.q_<name>.INSERT that there are new messages, unless it was told so within the queue's throttle interval.$$;
-- <<<

-- >>> db/schema/pgmq/functions/enable_notify_insert.sql
-- down: nothing
create or replace function tasker_pgmq.enable_notify_insert(queue_name text, throttle_interval_ms integer default 250)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text := pgmq.format_table_name(queue_name, 'q');
begin
  if throttle_interval_ms < 0 then
    raise exception 'throttle_interval_ms must be non-negative';
  end if;
  perform from pgmq.meta as m where m.queue_name = enable_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create it first using pgmq.create()', queue_name;
  end if;

  insert into pgmq.notify_insert_throttle as t (queue_name, throttle_interval_ms)
  values (enable_notify_insert.queue_name, enable_notify_insert.throttle_interval_ms)
  on conflict on constraint notify_insert_throttle_queue_name_key do update
     set throttle_interval_ms = excluded.throttle_interval_ms,
         last_notified_at     = excluded.last_notified_at;

  if not exists (
    select from pg_trigger as g
     where g.tgrelid = to_regclass(format('pgmq.%I', v_table))
       and g.tgname = 'trigger_notify_queue_insert_listeners'
  ) then
    execute format(
      'create trigger trigger_notify_queue_insert_listeners after insert on pgmq.%I
         for each statement execute function pgmq.notify_queue_listeners()',
      v_table
    );
  end if;
end;
$$;

comment on function tasker_pgmq.enable_notify_insert(text, integer) is
$$Has inserts into a queue notify its channel, at most once per interval; 0 is without limit. Once more changes the interval and starts it again.$$;
-- <<<

-- >>> db/schema/pgmq/functions/disable_notify_insert.sql
-- down: nothing
create or replace function tasker_pgmq.disable_notify_insert(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text := pgmq.format_table_name(queue_name, 'q');
begin
  execute format('drop trigger if exists trigger_notify_queue_insert_listeners on pgmq.%I', v_table);
  delete from pgmq.notify_insert_throttle as t where t.queue_name = disable_notify_insert.queue_name;
end;
$$;

comment on function tasker_pgmq.disable_notify_insert(text) is
$$Ends what enable_notify_insert began. Nothing happens, with a notice, if it did not.$$;
-- <<<

-- >>> db/schema/pgmq/functions/update_notify_insert.sql
-- down: nothing
create or replace function tasker_pgmq.update_notify_insert(queue_name text, throttle_interval_ms integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if throttle_interval_ms < 0 then
    raise exception 'throttle_interval_ms must be non-negative, got: %', throttle_interval_ms;
  end if;
  perform from pgmq.meta as m where m.queue_name = update_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
  end if;

  update pgmq.notify_insert_throttle as t
     set throttle_interval_ms = update_notify_insert.throttle_interval_ms,
         last_notified_at     = to_timestamp(0)
   where t.queue_name = update_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not have notify_insert enabled. Enable it first using pgmq.enable_notify_insert()', queue_name;
  end if;
end;
$$;

comment on function tasker_pgmq.update_notify_insert(text, integer) is
$$Changes how often inserts into a queue notify, and starts the interval again.$$;
-- <<<

-- >>> db/schema/pgmq/functions/list_notify_insert_throttles.sql
-- down: nothing
create or replace function tasker_pgmq.list_notify_insert_throttles()
  returns table (queue_name text, throttle_interval_ms integer, last_notified_at timestamptz)
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.queue_name::text, t.throttle_interval_ms, t.last_notified_at
    from pgmq.notify_insert_throttle as t
   order by t.queue_name;
end;
$$;

comment on function tasker_pgmq.list_notify_insert_throttles() is
$$The queues whose inserts notify, by name.$$;
-- <<<

-- >>> db/schema/pgmq/functions/validate_routing_key.sql
-- down: nothing
create or replace function tasker_pgmq.validate_routing_key(routing_key text)
  returns boolean
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(routing_key, '') = '' then
    raise exception 'routing_key cannot be NULL or empty';
  elsif length(routing_key) > 255 then
    raise exception 'routing_key length cannot exceed 255 characters, got % characters', length(routing_key);
  elsif routing_key ~ '[^A-Za-z0-9._-]' then
    raise exception 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: %', routing_key;
  elsif starts_with(routing_key, '.') then
    raise exception 'routing_key cannot start with a dot. Got: %', routing_key;
  elsif routing_key like '%.' then
    raise exception 'routing_key cannot end with a dot. Got: %', routing_key;
  elsif strpos(routing_key, '..') > 0 then
    raise exception 'routing_key cannot contain consecutive dots. Got: %', routing_key;
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.validate_routing_key(text) is
$$True, or raises what is wrong with a routing key: segments of letters, digits, hyphens and underscores between dots, at most 255 characters.$$;
-- <<<

-- >>> db/schema/pgmq/functions/validate_topic_pattern.sql
-- down: nothing
create or replace function tasker_pgmq.validate_topic_pattern(pattern text)
  returns boolean
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(pattern, '') = '' then
    raise exception 'pattern cannot be NULL or empty';
  elsif length(pattern) > 255 then
    raise exception 'pattern length cannot exceed 255 characters, got % characters', length(pattern);
  elsif pattern ~ '[^A-Za-z0-9._*#-]' then
    raise exception 'pattern contains invalid characters. Only alphanumeric, dots, hyphens, underscores, *, and # are allowed. Got: %', pattern;
  elsif starts_with(pattern, '.') then
    raise exception 'pattern cannot start with a dot. Got: %', pattern;
  elsif pattern like '%.' then
    raise exception 'pattern cannot end with a dot. Got: %', pattern;
  elsif strpos(pattern, '..') > 0 then
    raise exception 'pattern cannot contain consecutive dots. Got: %', pattern;
  elsif strpos(pattern, '**') > 0 then
    raise exception 'pattern cannot contain consecutive stars (**). Use # for multi-segment matching. Got: %', pattern;
  elsif strpos(pattern, '##') > 0 then
    raise exception 'pattern cannot contain consecutive hashes (##). A single # already matches zero or more segments. Got: %', pattern;
  elsif pattern ~ '[*]#|#[*]' then
    raise exception 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: %', pattern;
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.validate_topic_pattern(text) is
$$True, or raises what is wrong with a pattern of routing keys: as those, with * for one segment and # for any rest.$$;
-- <<<

-- >>> db/schema/pgmq/functions/bind_topic.sql
-- down: nothing
create or replace function tasker_pgmq.bind_topic(pattern text, queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq.validate_topic_pattern(pattern);
  if coalesce(queue_name, '') = '' then
    raise exception 'queue_name cannot be NULL or empty';
  end if;
  perform from pgmq.meta as m where m.queue_name = bind_topic.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
  end if;

  insert into pgmq.topic_bindings (pattern, queue_name)
  values (bind_topic.pattern, bind_topic.queue_name)
  on conflict on constraint topic_bindings_unique_pattern_queue do nothing;
end;
$$;

comment on function tasker_pgmq.bind_topic(text, text) is
$$Has a queue get the messages whose routing key matches a pattern. Nothing happens if it does so already.$$;
-- <<<

-- >>> db/schema/pgmq/functions/unbind_topic.sql
-- down: nothing
create or replace function tasker_pgmq.unbind_topic(pattern text, queue_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(pattern, '') = '' then
    raise exception 'pattern cannot be NULL or empty';
  elsif coalesce(queue_name, '') = '' then
    raise exception 'queue_name cannot be NULL or empty';
  end if;

  delete from pgmq.topic_bindings as b
   where b.pattern = unbind_topic.pattern
     and b.queue_name = unbind_topic.queue_name;
  return found;
end;
$$;

comment on function tasker_pgmq.unbind_topic(text, text) is
$$Ends what bind_topic began. False if there is no such binding.$$;
-- <<<

-- >>> db/schema/pgmq/functions/list_topic_bindings.sql
-- down: nothing
create or replace function tasker_pgmq.list_topic_bindings()
  returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
  language sql
  stable
begin atomic
  select b.pattern, b.queue_name, b.bound_at, b.compiled_regex
    from tasker_pgmq.topic_bindings as b
   order by b.bound_at desc, b.pattern, b.queue_name;
end;

comment on function tasker_pgmq.list_topic_bindings() is
$$All bindings of patterns to queues, newest first.$$;

create or replace function tasker_pgmq.list_topic_bindings(queue_name text)
  returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
  language sql
  stable
begin atomic
  -- By number, because PL/pgSQL would not have a parameter and a column of one name.
  select b.pattern, b.queue_name, b.bound_at, b.compiled_regex
    from tasker_pgmq.topic_bindings as b
   where b.queue_name = $1
   order by b.bound_at desc, b.pattern;
end;

comment on function tasker_pgmq.list_topic_bindings(text) is
$$The patterns of one queue, newest first.$$;
-- <<<

-- >>> db/schema/pgmq/functions/test_routing.sql
-- down: nothing
create or replace function tasker_pgmq.test_routing(routing_key text)
  returns table (pattern text, queue_name text, compiled_regex text)
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq.validate_routing_key(routing_key);
  return query
  select b.pattern, b.queue_name, b.compiled_regex
    from pgmq.topic_bindings as b
   where routing_key ~ b.compiled_regex
   order by b.pattern, b.queue_name;
end;
$$;

comment on function tasker_pgmq.test_routing(text) is
$$The bindings that a routing key matches: where a message would go.$$;
-- <<<

-- >>> db/schema/pgmq/functions/send_topic.sql
-- down: nothing
create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb, headers jsonb, delay integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
  v_count integer := 0;
begin
  perform pgmq.validate_routing_key(routing_key);
  if msg is null then
    raise exception 'msg cannot be NULL';
  elsif delay < 0 then
    raise exception 'delay cannot be negative, got: %', delay;
  end if;

  for v_queue in
    select distinct b.queue_name from pgmq.topic_bindings as b
     where routing_key ~ b.compiled_regex
     order by b.queue_name
  loop
    perform pgmq.send(v_queue, msg, headers, delay);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb, jsonb, integer) is
$$Sends a message with headers to every queue with a matching pattern, once each, visible after so many seconds. Returns how many queues that were.$$;

create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return pgmq.send_topic(routing_key, msg, null, 0);
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb) is
$$Sends a message to every queue with a matching pattern, once each. Returns how many queues that were.$$;

create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb, delay integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return pgmq.send_topic(routing_key, msg, null, delay);
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb, integer) is
$$Sends a message to every queue with a matching pattern, once each, visible after so many seconds. Returns how many queues that were.$$;
-- <<<

-- >>> db/schema/pgmq/functions/send_batch_topic.sql
-- down: nothing
create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  perform pgmq.validate_routing_key(routing_key);
  perform pgmq._validate_batch_params(msgs, headers);

  for v_queue in
    select distinct b.queue_name from pgmq.topic_bindings as b
     where routing_key ~ b.compiled_regex
     order by b.queue_name
  loop
    return query select v_queue, s.msg_id from pgmq._send_batch(v_queue, msgs, headers, delay) as s (msg_id);
  end loop;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages, each with its headers, to every queue with a matching pattern, visible at a time. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[])
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp()) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[]) is
$$Sends messages to every queue with a matching pattern. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[])
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp()) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[]) is
$$Sends messages, each with its headers, to every queue with a matching pattern. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay integer)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp() + make_interval(secs => delay)) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], integer) is
$$Sends messages to every queue with a matching pattern, visible after so many seconds. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay timestamptz)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], delay) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], timestamptz) is
$$Sends messages to every queue with a matching pattern, visible at a time. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay integer)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp() + make_interval(secs => delay)) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[], integer) is
$$Sends messages, each with its headers, to every queue with a matching pattern, visible after so many seconds. Returns the queues and the ids there.$$;
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
$$The mark of pgtasker's own pgmq, and the version of the extension whose API it offers.$$;
-- <<<

-- >>> db/schema/pgmq/settle.sql
-- down: select tasker.drop_own_pgmq();
-- As in the extension, who may use the schema may execute its functions.
grant execute on all functions in schema tasker_pgmq to public;
select tasker.settle_pgmq();
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000950', 'pgmq/functions/_claim_groups 6ff0b3e792a8682a
pgmq/functions/_create_queue 8e8b8d604b564cd2
pgmq/functions/_pgtasker_version 70923e5a79483c50
pgmq/functions/_send_batch 5b843c420e702142
pgmq/functions/_validate_batch_params 9f1196aba86dfe4d
pgmq/functions/acquire_queue_lock d02b318666364be8
pgmq/functions/archive 480de924c0592880
pgmq/functions/bind_topic ba15b64981b54e24
pgmq/functions/convert_archive_partitioned 67f93400b5bc6b0b
pgmq/functions/create 5c47a6a3f85ffd03
pgmq/functions/create_fifo_index 05bd6e5ac5db05ed
pgmq/functions/create_fifo_indexes_all 570d8a26705ebc70
pgmq/functions/create_non_partitioned 942b8d3e6a0534dd
pgmq/functions/create_partitioned 331011bbddb175ab
pgmq/functions/create_unlogged 23ecd17185e0b07d
pgmq/functions/delete 5e3615836bbb3c4a
pgmq/functions/detach_archive adf542dac1474eab
pgmq/functions/disable_notify_insert bc2d89b450bcdd99
pgmq/functions/drop_queue 9f0eeecd5b621b6b
pgmq/functions/enable_notify_insert e1c659fe53bf5d38
pgmq/functions/format_table_name 2263e4b88a81b06c
pgmq/functions/list_notify_insert_throttles 528e7c6d13aab334
pgmq/functions/list_queues 5dfb9046fd42a95b
pgmq/functions/list_topic_bindings d1894284a33a14fc
pgmq/functions/metrics 83f8c29391aed416
pgmq/functions/metrics_all 94c23908d2ca0c4d
pgmq/functions/notify_queue_listeners d71c4b92a492870d
pgmq/functions/pop 741c07d1a33fd5d4
pgmq/functions/purge_queue 9581b699753ac114
pgmq/functions/read fa5c27c68329de15
pgmq/functions/read_grouped 46b5a43477d32d36
pgmq/functions/read_grouped_head c4a04f3e17c591f7
pgmq/functions/read_grouped_rr 776efb72a0711f0c
pgmq/functions/read_grouped_rr_with_poll eb463c7350c754a8
pgmq/functions/read_grouped_with_poll c4d08f0f1fd1b2a9
pgmq/functions/read_with_poll 7f20ee0094f5acc6
pgmq/functions/send aad47688603e052d
pgmq/functions/send_batch 8db9eba825a2e2bf
pgmq/functions/send_batch_topic 4a5c520dcf03274c
pgmq/functions/send_topic 396a765d59413621
pgmq/functions/set_vt 81b4372f5f70ae19
pgmq/functions/test_routing 87faea1aebef80ac
pgmq/functions/unbind_topic fdbec0b13e3964df
pgmq/functions/update_notify_insert b736d2897ece5daf
pgmq/functions/validate_queue_name 4e634d62ebf56307
pgmq/functions/validate_routing_key e49378f5c234d975
pgmq/functions/validate_topic_pattern 179da9c68bfce3ad
pgmq/schema 2abb7ffd396471ad
pgmq/settle 11ecd159be8ec026
pgmq/tables/meta ec0e3ca291d81f6f
pgmq/tables/notify_insert_throttle cddae10c31f17fbb
pgmq/tables/topic_bindings f67c8422fa0299ea
pgmq/types/message_record dc75bdfe669b3abc
pgmq/types/metrics_result b2dd7ac54fe904e9
pgmq/types/queue_record 386a4b8a7efa7260
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000950';

select tasker.drop_own_pgmq();

reset role;
