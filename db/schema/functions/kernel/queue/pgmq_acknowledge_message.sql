create or replace function tasker.pgmq_acknowledge_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_read_ct        integer
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
  v_gone  bigint;
begin
  perform tasker.check_queue_right(p_queue_name, 'delete');
  execute format('delete from %s as q where q.msg_id = $1 and q.read_ct = $2 returning q.msg_id', v_table)
    into v_gone using p_target_msg_id, p_read_ct;
  return v_gone is not null;
end;
$$;

comment on function tasker.pgmq_acknowledge_message is
$$Deletes a message that has been handled, unless the message has been delivered again in the meantime. p_read_ct is the value of read_ct that the delivery returned. Returns true if the message was deleted.

Locks the message. Raises TK404 if there is no such queue, TK422 for a name that no queue can have, TK403 if the caller may not use the queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_acknowledge_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
