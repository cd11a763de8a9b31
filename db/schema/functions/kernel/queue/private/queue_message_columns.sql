create or replace function tasker.queue_message_columns(p_table regclass)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- pgmq has had headers since 1.5, and last_read_at since 1.10. In upgraded tables they are the last columns.
  return (
    select 'q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, '
           || case when bool_or(a.attname = 'headers') then 'q.headers' else 'null::jsonb' end
           || case when bool_or(a.attname = 'last_read_at') then ', q.last_read_at' else ', null::timestamptz' end
      from pg_attribute as a
     where a.attrelid = p_table
       and a.attname in ('headers', 'last_read_at', 'msg_id')
       and not a.attisdropped
  );
end;
$$;

comment on function tasker.queue_message_columns is
$$Returns the select list that turns a queue's row q into a tasker.queue_messages, in any version of pgmq.$$;
