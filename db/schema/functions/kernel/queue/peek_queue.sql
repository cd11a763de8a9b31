create or replace function tasker.peek_queue(
  p_queue_name    text,
  p_limit         integer default 10,
  p_after_msg_id  bigint default null
)
  returns setof tasker.queue_messages
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
begin
  perform tasker.check_queue_right(p_queue_name, 'select');
  if coalesce(p_limit, 10) not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', p_limit),
      hint    = 'A limit is 1 to 10000.';
  end if;

  return query execute format(
    'select %s from %s as q where q.msg_id > $1 order by q.msg_id limit $2',
    tasker.queue_message_columns(v_table), v_table
  ) using coalesce(p_after_msg_id, 0), coalesce(p_limit, 10);
end;
$$;

comment on function tasker.peek_queue is
$$Returns the first messages of a queue after an id, visible or hidden, in the order of sending. Does not receive, change or lock the messages.

Raises TK404 if there is no such queue, TK422 for a limit that is not between 1 and 10000 or an invalid queue name, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.peek_queue
  to tasker_orchestrator, tasker_operator, tasker_reader;
