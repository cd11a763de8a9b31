-- down: nothing
create or replace function tasker_pgmq.pop(queue_name text, qty integer default 1)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  set jit = off
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query execute format(
    $sql$
      delete from pgmq.%1$I as q
       where q.msg_id = any (array(
               select d.msg_id
                 from pgmq.%1$I as d
                where d.vt <= $1
                order by d.vt, d.msg_id
                limit $2
                  for update skip locked
             ))
      returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
    $sql$,
    pgmq.format_table_name(queue_name, 'q')
  ) using v_now, qty;
end;
$$;

comment on function tasker_pgmq.pop(text, integer) is
$$Deletes up to qty visible messages from the queue and returns them. Takes the messages that have been visible longest.$$;
