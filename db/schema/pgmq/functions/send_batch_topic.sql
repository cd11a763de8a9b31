-- down: nothing
create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  perform pgmq.validate_routing_key(routing_key);
  perform pgmq._validate_batch_params(msgs, headers);

  for v_queue in
    select distinct b.queue_name from pgmq.topic_bindings as b
     where routing_key ~ b.compiled_regex
     order by b.queue_name
  loop
    return query select v_queue, s.msg_id from pgmq._send_batch(v_queue, msgs, headers, delay) as s (msg_id);
  end loop;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages, each with its headers, to every queue with a matching pattern, visible at a time. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[])
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp()) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[]) is
$$Sends messages to every queue with a matching pattern. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[])
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp()) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[]) is
$$Sends messages, each with its headers, to every queue with a matching pattern. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay integer)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp() + make_interval(secs => delay)) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], integer) is
$$Sends messages to every queue with a matching pattern, visible after so many seconds. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay timestamptz)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], delay) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], timestamptz) is
$$Sends messages to every queue with a matching pattern, visible at a time. Returns the queues and the ids there.$$;

create or replace function tasker_pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay integer)
  returns table (queue_name text, msg_id bigint)
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.queue_name, s.msg_id from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp() + make_interval(secs => delay)) as s;
end;
$$;

comment on function tasker_pgmq.send_batch_topic(text, jsonb[], jsonb[], integer) is
$$Sends messages, each with its headers, to every queue with a matching pattern, visible after so many seconds. Returns the queues and the ids there.$$;
