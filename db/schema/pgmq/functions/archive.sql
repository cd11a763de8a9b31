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
