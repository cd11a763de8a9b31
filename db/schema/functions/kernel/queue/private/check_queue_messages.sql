create or replace function tasker.check_queue_messages(
  p_queue_name     text,
  p_messages       jsonb[],
  p_delay_seconds  integer,
  p_with_headers   boolean
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes bigint;
  v_wrong text := case
    when coalesce(cardinality(p_messages), 0) = 0 then 'there is no message'
    when array_ndims(p_messages) > 1 then 'the messages are an array of arrays'
    when array_position(p_messages, null) is not null then 'a message is null'
    when p_delay_seconds < 0 then 'the delay is negative'
  end;
begin
  perform tasker.queue_table(p_queue_name);

  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('cannot send to queue "%s": %s', p_queue_name, v_wrong),
      detail  = format('%s messages, delay of %s seconds.', coalesce(cardinality(p_messages), 0), p_delay_seconds),
      hint    = 'Send 1 to 10,000 messages, none of them null, with a delay of 0 seconds or more.';
  end if;
  perform tasker.check_array_size('messages', cardinality(p_messages), 10000);
  if p_delay_seconds > 315360000 then
    raise exception using
      errcode = 'TK422',
      message = format('a message cannot be delayed for %s seconds', p_delay_seconds),
      hint    = 'The delay is at most 315360000 seconds, ten years.';
  end if;
  v_bytes := (select max(octet_length(u.message::text)) from unnest(p_messages) as u (message));
  if v_bytes > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a message of %s bytes is too large', v_bytes),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large data elsewhere and send a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('message', u.message) from unnest(p_messages) as u (message) where tasker.is_too_deep(u.message);
  if p_with_headers and to_regprocedure('pgmq.send(text,jsonb,jsonb,integer)') is null then
    raise exception using
      errcode = 'TK422',
      message = format('cannot send to queue "%s": this pgmq has no headers', p_queue_name),
      hint    = 'pgmq has headers since 1.5: alter extension pgmq update.';
  end if;
end;
$$;

comment on function tasker.check_queue_messages is
$$Raises TK422, TK404 or TK403 if these messages cannot be sent to this queue.$$;
