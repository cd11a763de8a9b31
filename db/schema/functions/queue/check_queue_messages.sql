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
      message = format('nothing can be sent to queue "%s": %s', p_queue_name, v_wrong),
      detail  = format('%s messages, delay of %s seconds.', coalesce(cardinality(p_messages), 0), p_delay_seconds);
  end if;
  if p_with_headers and to_regprocedure('pgmq.send(text,jsonb,jsonb,integer)') is null then
    raise exception using
      errcode = 'TK422',
      message = format('nothing can be sent to queue "%s": this pgmq has no headers', p_queue_name),
      hint    = 'Headers came with pgmq 1.5: alter extension pgmq update.';
  end if;
end;
$$;

comment on function tasker.check_queue_messages(text, jsonb[], integer, boolean) is
$$Raises unless these messages can be sent to this queue: TK422, TK404 or TK403.$$;

revoke all on function tasker.check_queue_messages(text, jsonb[], integer, boolean) from public;
