begin;
select plan(1);

prepare columns as
  select c.relname::text, string_agg(a.attname::text || ' ' || format_type(a.atttypid, null) || case when a.attnotnull then ' not null' else '' end, ', ' order by a.attnum)
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
   where c.relnamespace = 'pgmq'::regnamespace
     and c.relname in ('message_record', 'queue_record', 'metrics_result', 'meta')
   group by c.relname
   order by c.relname;

select set_eq('columns', $$ values
  ('message_record', 'msg_id bigint, read_ct integer, enqueued_at timestamp with time zone, last_read_at timestamp with time zone, vt timestamp with time zone, message jsonb, headers jsonb'),
  ('meta', 'queue_name character varying not null, is_partitioned boolean not null, is_unlogged boolean not null, created_at timestamp with time zone not null'),
  ('metrics_result', 'queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint, scrape_time timestamp with time zone, queue_visible_length bigint'),
  ('queue_record', 'queue_name character varying, is_partitioned boolean, is_unlogged boolean, created_at timestamp with time zone')
$$, 'the types and tables have these columns, in this order');

select * from finish();
rollback;
