create or replace function tasker.pgmq_hide_message(
  p_queue_name     text,
  p_target_msg_id  bigint,
  p_read_ct        integer,
  p_vt_seconds     integer default 30
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table  regclass := tasker.queue_table(p_queue_name);
  v_hidden bigint;
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  if p_vt_seconds not between 0 and 315360000 then
    raise exception using
      errcode = 'TK422',
      message = format('a message of queue "%s" cannot be hidden for %s seconds', p_queue_name, p_vt_seconds),
      hint    = 'It is hidden for 0 to 315360000 seconds; null stands for 30.';
  end if;
  execute format(
    'update %s as q set vt = clock_timestamp() + make_interval(secs => $3) where q.msg_id = $1 and q.read_ct = $2 returning q.msg_id', v_table
  ) into v_hidden using p_target_msg_id, p_read_ct, coalesce(p_vt_seconds, 30);
  return v_hidden is not null;
end;
$$;

comment on function tasker.pgmq_hide_message is
$$Hides a received message for p_vt_seconds from now (null: 30), unless the message has been delivered again in the meantime. p_read_ct is the value of read_ct that the delivery returned. 0 seconds make the message visible at once. Returns true if the message was hidden.

Locks the message. Raises TK404 if there is no such queue, TK422 for a time out of range, TK403 if the caller may not use the queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_hide_message
  to tasker_worker, tasker_orchestrator, tasker_operator;
