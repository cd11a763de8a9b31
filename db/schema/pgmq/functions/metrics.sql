-- down: nothing
create or replace function tasker_pgmq.metrics(queue_name text)
  returns tasker_pgmq.metrics_result
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table  text        := format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  v_now    timestamptz := clock_timestamp();
  v_result record;
begin
  -- The counts need only the index (vt, msg_id). The two ages come from the first and the last row of the primary key.
  execute format(
    $sql$
      select $2 as queue_name,
             count(*) as queue_length,
             extract(epoch from $1 - (select n.enqueued_at from %1$s as n order by n.msg_id desc limit 1))::integer as newest,
             extract(epoch from $1 - (select o.enqueued_at from %1$s as o order by o.msg_id limit 1))::integer as oldest,
             coalesce(pg_sequence_last_value(pg_get_serial_sequence($3, 'msg_id')::regclass), 0) as total_messages,
             $1 as scrape_time,
             count(*) filter (where q.vt <= $1) as visible
        from %1$s as q
    $sql$,
    v_table
  ) into v_result using v_now, queue_name, v_table;
  return v_result;
end;
$$;

comment on function tasker_pgmq.metrics(text) is
$$Returns the figures of a queue: the exact numbers of all messages and of visible messages, the seconds since the newest and the oldest message were sent (null if the queue is empty), and the number of messages ever sent.$$;
