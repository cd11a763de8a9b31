create or replace function tasker.queue_statistics_of(p_queue_name text)
  returns setof tasker.queue_statistics
  language plpgsql
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass := tasker.queue_table(p_queue_name);
begin
  -- The counts come from the index on vt if possible, the ages from both ends of the primary key.
  return query execute format(
    $sql$
      select $1,
             count(*),
             extract(epoch from $2 - (select o.enqueued_at from %1$s as o order by o.msg_id limit 1))::integer,
             extract(epoch from $2 - (select n.enqueued_at from %1$s as n order by n.msg_id desc limit 1))::integer,
             count(*) filter (where q.vt <= $2),
             extract(epoch from $2 - min(q.vt) filter (where q.vt <= $2))::integer,
             coalesce(pg_sequence_last_value(pg_get_serial_sequence($3, 'msg_id')::regclass), 0)
        from %1$s as q
    $sql$,
    v_table
  ) using p_queue_name, clock_timestamp(), v_table::text;
end;
$$;

comment on function tasker.queue_statistics_of is
$$Returns the statistics of one queue. Raises TK404, TK422 or TK403 as tasker.queue_table does.$$;
