create or replace function tasker.pgmq_delete_messages(p_queue_name text, p_msg_ids bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.queue_table(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'delete');
  perform tasker.check_array_size('messages', cardinality(p_msg_ids), 10000);
  return query select d.msg_id from pgmq.delete(p_queue_name, coalesce(p_msg_ids, '{}')) as d (msg_id);
end;
$$;

comment on function tasker.pgmq_delete_messages is
$$Deletes processed messages from a pgmq queue. Returns the ids of the messages that existed. Workers call this
function, so that they need no rights on schema pgmq.

Idempotent. Locks the messages. Raises TK404 if there is no such queue, TK422 for an invalid queue name, TK403 if the
queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_delete_messages
  to tasker_worker, tasker_orchestrator, tasker_operator;
