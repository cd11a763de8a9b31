-- These are the names, arguments, defaults and results of pgmq 1.11 that pgtasker's own pgmq has. The extension
-- has more functions.
begin;
select plan(4);

create temporary table api (
  signature  text  primary key,
  result     text  not null
);

insert into api (signature, result) values
  ('acquire_queue_lock(queue_name text)',
   'void'),
  ('archive(queue_name text, msg_id bigint)',
   'boolean'),
  ('archive(queue_name text, msg_ids bigint[])',
   'SETOF bigint'),
  ('create(queue_name text)',
   'void'),
  ('create_non_partitioned(queue_name text)',
   'void'),
  ('create_partitioned(queue_name text, partition_interval text DEFAULT ''10000''::text, retention_interval text DEFAULT ''100000''::text)',
   'void'),
  ('create_unlogged(queue_name text)',
   'void'),
  ('delete(queue_name text, msg_id bigint)',
   'boolean'),
  ('delete(queue_name text, msg_ids bigint[])',
   'SETOF bigint'),
  ('detach_archive(queue_name text)',
   'void'),
  ('drop_queue(queue_name text)',
   'boolean'),
  ('drop_queue(queue_name text, partitioned boolean)',
   'boolean'),
  ('format_table_name(queue_name text, prefix text)',
   'text'),
  ('list_queues()',
   'SETOF pgmq.queue_record'),
  ('metrics(queue_name text)',
   'pgmq.metrics_result'),
  ('metrics_all()',
   'SETOF pgmq.metrics_result'),
  ('pop(queue_name text, qty integer DEFAULT 1)',
   'SETOF pgmq.message_record'),
  ('purge_queue(queue_name text)',
   'bigint'),
  ('read(queue_name text, vt integer, qty integer, conditional jsonb DEFAULT ''{}''::jsonb)',
   'SETOF pgmq.message_record'),
  ('read_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100, conditional jsonb DEFAULT ''{}''::jsonb)',
   'SETOF pgmq.message_record'),
  ('send(queue_name text, msg jsonb)',
   'SETOF bigint'),
  ('send(queue_name text, msg jsonb, delay integer)',
   'SETOF bigint'),
  ('send(queue_name text, msg jsonb, delay timestamp with time zone)',
   'SETOF bigint'),
  ('send(queue_name text, msg jsonb, headers jsonb)',
   'SETOF bigint'),
  ('send(queue_name text, msg jsonb, headers jsonb, delay integer)',
   'SETOF bigint'),
  ('send(queue_name text, msg jsonb, headers jsonb, delay timestamp with time zone)',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[])',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[], delay integer)',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[], delay timestamp with time zone)',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[], headers jsonb[])',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)',
   'SETOF bigint'),
  ('send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamp with time zone)',
   'SETOF bigint'),
  ('set_vt(queue_name text, msg_id bigint, vt integer)',
   'SETOF pgmq.message_record'),
  ('set_vt(queue_name text, msg_id bigint, vt timestamp with time zone)',
   'SETOF pgmq.message_record'),
  ('set_vt(queue_name text, msg_ids bigint[], vt integer)',
   'SETOF pgmq.message_record'),
  ('set_vt(queue_name text, msg_ids bigint[], vt timestamp with time zone)',
   'SETOF pgmq.message_record'),
  ('validate_queue_name(queue_name text)',
   'void');

create temporary table offered as
  select format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)) as signature,
         pg_get_function_result(p.oid) as result
    from pg_proc as p
   where p.pronamespace = 'pgmq'::regnamespace;

select is((select count(*)::integer from api), 37, 'the list has 37 signatures');
select is_empty('select a.signature, a.result from api as a except select o.signature, o.result from offered as o', 'every function of the list exists');
select case when tasker.pgmq_kind() = 'own'
    then is_empty($$ select o.signature from offered as o where o.signature !~ '^_' except select a.signature from api as a $$, 'pgtasker''s own has no function that is not in the list')
    else skip('the extension has more functions', 1)
  end;
select is_empty(
  $$ select p.oid::regprocedure from pg_proc as p where p.pronamespace = 'pgmq'::regnamespace and (p.prosecdef or p.proisstrict) $$,
  'no function is security definer or strict'
);

select * from finish();
rollback;
