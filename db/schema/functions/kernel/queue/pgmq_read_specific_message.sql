create or replace function tasker.pgmq_read_specific_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_vt_seconds     integer default 30
)
  returns setof tasker.queue_messages
  language plpgsql
  security definer
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass    := tasker.queue_table(p_queue_name);
  v_now   timestamptz := clock_timestamp();
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  if p_vt_seconds < 0 then
    raise exception using
      errcode = 'TK422',
      message = format('a message of queue "%s" cannot be hidden for %s seconds', p_queue_name, p_vt_seconds),
      hint    = 'Hide it for 0 seconds or more; null means 30.';
  end if;

  -- Skip locked rows: the second reader gets no row at once instead of waiting for it.
  return query execute format(
    $sql$
      update %1$s as q
         set vt      = $2 + make_interval(secs => $3),
             read_ct = q.read_ct + 1%2$s
       where q.msg_id = (
               select w.msg_id
                 from %1$s as w
                where w.msg_id = $1
                  and w.vt <= $2
                  for update skip locked
             )
      returning %3$s
    $sql$,
    v_table,
    case when tasker.queue_message_columns(v_table) like '%q.last_read_at%' then ', last_read_at = $2' else '' end,
    tasker.queue_message_columns(v_table)
  ) using p_target_msg_id, v_now, coalesce(p_vt_seconds, 30);
end;
$$;

comment on function tasker.pgmq_read_specific_message is
$$Receives the message that a notification named, and hides it for p_vt_seconds. Returns no row if another reader holds the message, or the message is hidden, deleted or never existed. If two readers call at once, one of them gets the message, and neither waits.

Raises TK404 if there is no such queue, TK422 for a negative time, TK403 if the queue is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_read_specific_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
