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
