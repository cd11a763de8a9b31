-- down: nothing
create or replace function tasker_pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  set jit = off
as $$
declare
  -- Read the clock once and pass the time as a parameter. PostgreSQL cannot search the index for clock_timestamp(), which is
  -- volatile.
  v_now timestamptz := clock_timestamp();
begin
  -- The subquery runs once, before the update. The update then finds the rows by the primary key, in the order of their ids.
  return query execute format(
    $sql$
      update pgmq.%1$I as q
         set vt           = $3,
             read_ct      = q.read_ct + 1,
             last_read_at = $1
       where q.msg_id = any (array(
               select d.msg_id
                 from pgmq.%1$I as d
                where d.vt <= $1
                  %2$s
                order by d.vt, d.msg_id
                limit $2
                  for update skip locked
             ))
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q'),
    case when conditional <> '{}' then 'and d.message @> $4' else '' end
  ) using v_now, qty, v_now + make_interval(secs => vt), conditional;
end;
$$;

comment on function tasker_pgmq.read(text, integer, integer, jsonb) is
$$Returns up to qty visible messages in the order of their ids, and hides them for the number of seconds in vt. Takes the messages that have been visible longest.

With conditional, returns only messages that contain this JSON. Skips messages that another transaction is taking. The number of hidden messages does not change the cost of a call.$$;
