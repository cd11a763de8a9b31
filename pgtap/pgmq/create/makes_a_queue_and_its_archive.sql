begin;
select plan(5);

select pgmq.create('tap_new');

prepare columns as
  select a.attname::text || ' ' || format_type(a.atttypid, null) || case when a.attnotnull then ' not null' else '' end
         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || case a.attidentity when 'a' then ' identity' else '' end
    from pg_attribute as a
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid = $1::regclass and a.attnum > 0
   order by a.attnum;

select set_eq($$ execute columns('pgmq.q_tap_new') $$, $$ values
  ('msg_id bigint not null identity'), ('read_ct integer not null default 0'),
  ('enqueued_at timestamp with time zone not null default now()'), ('last_read_at timestamp with time zone'),
  ('vt timestamp with time zone not null'), ('message jsonb'), ('headers jsonb')
$$, 'the queue has the columns that clients read');
select set_eq($$ execute columns('pgmq.a_tap_new') $$, $$ values
  ('msg_id bigint not null'), ('read_ct integer not null default 0'),
  ('enqueued_at timestamp with time zone not null default now()'), ('last_read_at timestamp with time zone'),
  ('archived_at timestamp with time zone not null default now()'),
  ('vt timestamp with time zone not null'), ('message jsonb'), ('headers jsonb')
$$, 'the archive has the columns that clients read');
select set_eq(
  $$ select i.indexname::text from pg_indexes as i where i.schemaname = 'pgmq' and i.tablename in ('q_tap_new', 'a_tap_new') $$,
  $$ values ('a_tap_new_pkey'), ('archived_at_idx_tap_new'), ('q_tap_new_pkey'), ('q_tap_new_vt_idx') $$,
  'the indexes have the names that pgmq gives them'
);
select is(pg_get_serial_sequence('pgmq.q_tap_new', 'msg_id'), 'pgmq.q_tap_new_msg_id_seq', 'the sequence has the name that pgmq gives it');
select results_eq(
  $$ select q.queue_name::text, q.is_partitioned, q.is_unlogged, q.created_at from pgmq.list_queues() as q where q.queue_name = 'tap_new' $$,
  $$ values ('tap_new', false, false, now()) $$, 'list_queues returns the queue'
);

select * from finish();
rollback;
