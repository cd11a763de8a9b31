-- down: nothing
create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, clock_timestamp()) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[]) is
$$Sends messages that are visible at once, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[])
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, clock_timestamp()) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[]) is
$$Sends messages with headers. The messages are visible at once. Returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], delay integer)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay)) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], integer) is
$$Sends messages that become visible after the given number of seconds, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, null, delay) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], timestamptz) is
$$Sends messages that become visible at the time that is given as delay, and returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[], integer) is
$$Sends messages with headers. The messages become visible after the given number of seconds. Returns their ids in the order of the array.$$;

create or replace function tasker_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select s.msg_id from pgmq._send_batch(queue_name, msgs, headers, delay) as s (msg_id);
end;
$$;

comment on function tasker_pgmq.send_batch(text, jsonb[], jsonb[], timestamptz) is
$$Sends messages with headers. The messages become visible at the time that is given as delay. Returns their ids in the order of the array.$$;
