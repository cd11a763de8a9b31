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
