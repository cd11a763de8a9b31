-- down: nothing
create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb, headers jsonb, delay integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
  v_count integer := 0;
begin
  perform pgmq.validate_routing_key(routing_key);
  if msg is null then
    raise exception 'msg cannot be NULL';
  elsif delay < 0 then
    raise exception 'delay cannot be negative, got: %', delay;
  end if;

  for v_queue in
    select distinct b.queue_name from pgmq.topic_bindings as b
     where routing_key ~ b.compiled_regex
     order by b.queue_name
  loop
    perform pgmq.send(v_queue, msg, headers, delay);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb, jsonb, integer) is
$$Sends a message with headers to every queue with a matching pattern, once each, visible after so many seconds. Returns how many queues that were.$$;

create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return pgmq.send_topic(routing_key, msg, null, 0);
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb) is
$$Sends a message to every queue with a matching pattern, once each. Returns how many queues that were.$$;

create or replace function tasker_pgmq.send_topic(routing_key text, msg jsonb, delay integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return pgmq.send_topic(routing_key, msg, null, delay);
end;
$$;

comment on function tasker_pgmq.send_topic(text, jsonb, integer) is
$$Sends a message to every queue with a matching pattern, once each, visible after so many seconds. Returns how many queues that were.$$;
