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
