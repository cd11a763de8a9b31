begin;
select plan(3);

select pgmq.create_unlogged('tap_unlogged');
select is((select c.relpersistence::text from pg_class as c where c.oid = 'pgmq.q_tap_unlogged'::regclass), 'u', 'the queue is unlogged');
select is((select c.relpersistence::text from pg_class as c where c.oid = 'pgmq.a_tap_unlogged'::regclass), 'p', 'the archive is logged');
select results_eq(
  $$ select q.is_unlogged from pgmq.list_queues() as q where q.queue_name = 'tap_unlogged' $$, $$ values (true) $$, 'list_queues returns the queue as unlogged'
);

select * from finish();
rollback;
