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
