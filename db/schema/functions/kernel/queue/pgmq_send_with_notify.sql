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
