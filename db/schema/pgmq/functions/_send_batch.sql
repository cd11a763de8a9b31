-- down: nothing
create or replace function tasker_pgmq._send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._validate_batch_params(msgs, headers);

  if headers is null then
    return query execute format(
      'insert into pgmq.%I (vt, message) select $1, u.message from unnest($2) as u (message) returning msg_id',
      pgmq.format_table_name(queue_name, 'q')
    ) using delay, msgs;
  else
    return query execute format(
      'insert into pgmq.%I (vt, message, headers) select $1, u.message, u.headers from unnest($2, $3) as u (message, headers) returning msg_id',
      pgmq.format_table_name(queue_name, 'q')
    ) using delay, msgs, headers;
  end if;
end;
$$;

comment on function tasker_pgmq._send_batch(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages in the order of the array and returns their ids in ascending order. All messages become visible at the time that is given as delay.$$;
