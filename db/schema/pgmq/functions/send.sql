-- down: nothing
create or replace function tasker_pgmq.send(queue_name text, msg jsonb)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp(), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb) is
$$Sends a message that is visible at once, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values (clock_timestamp(), $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb) is
$$Sends a message with headers. The message is visible at once. Returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, delay integer)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp() + make_interval(secs => $2), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, integer) is
$$Sends a message that becomes visible after the given number of seconds, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, delay timestamptz)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values ($2, $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, timestamptz) is
$$Sends a message that becomes visible at the time that is given as delay, and returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values (clock_timestamp() + make_interval(secs => $3), $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb, integer) is
$$Sends a message with headers. The message becomes visible after the given number of seconds. Returns its id.$$;

create or replace function tasker_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz)
  returns setof bigint
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values ($3, $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers, delay;
end;
$$;

comment on function tasker_pgmq.send(text, jsonb, jsonb, timestamptz) is
$$Sends a message with headers. The message becomes visible at the time that is given as delay. Returns its id.$$;
