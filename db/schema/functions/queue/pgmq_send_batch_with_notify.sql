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
declare
  v_namespace text    := tasker.extract_queue_namespace(p_queue_name);
  v_delay     integer := coalesce(p_delay_seconds, 0);
begin
  perform tasker.check_queue_messages(p_queue_name, p_messages, v_delay, p_headers is not null);

  if p_headers is null then
    return query select s.msg_id from pgmq.send_batch(p_queue_name, p_messages, v_delay) as s (msg_id);
  elsif cardinality(p_headers) <> cardinality(p_messages) then
    raise exception using
      errcode = 'TK422',
      message = format('nothing can be sent to queue "%s": there are not as many headers as messages', p_queue_name),
      detail  = format('%s messages, %s headers.', cardinality(p_messages), cardinality(p_headers));
  else
    return query select s.msg_id from pgmq.send_batch(p_queue_name, p_messages, p_headers, v_delay) as s (msg_id);
  end if;

  -- The same text for all batches of a transaction: PostgreSQL sends equal notifications once.
  perform tasker.notify_queue(p_queue_name, v_namespace, json_build_object(
    'event_type', 'batch_ready',
    'queue_name', p_queue_name,
    'namespace', v_namespace,
    'ready_at', now()
  )::text);
end;
$$;

comment on function tasker.pgmq_send_batch_with_notify(text, jsonb[], integer, jsonb[]) is
$$Sends messages to a pgmq queue, in this order, and returns their ids. Announced once per queue and transaction on the channels pgmq_message_ready.<namespace> and pgmq_message_ready: event_type batch_ready, queue_name, namespace, ready_at.

Settings as for pgmq_send_with_notify. Raises TK404 if there is no such queue, TK422 for no message or one that is null, a negative delay, headers that do not match, or headers over a pgmq without them, TK403 if the queue is not shared with tasker_owner.$$;

revoke all on function tasker.pgmq_send_batch_with_notify(text, jsonb[], integer, jsonb[]) from public;
grant execute on function tasker.pgmq_send_batch_with_notify(text, jsonb[], integer, jsonb[])
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
