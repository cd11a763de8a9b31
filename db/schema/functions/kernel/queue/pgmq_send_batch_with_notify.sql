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
