begin;
select plan(1);

create temporary table before as select q.queue_name from pgmq.list_queues() as q;
select pgmq.create('tap_m1'), pgmq.create('tap_m2');
select pgmq.send('tap_m2', '1'::jsonb);
select results_eq(
  $$ select m.queue_name, m.queue_length, m.total_messages from pgmq.metrics_all() as m where m.queue_name not in (select b.queue_name from before as b) order by 1 $$,
  $$ values ('tap_m1', 0::bigint, 0::bigint), ('tap_m2', 1, 1) $$, 'each new queue has a row'
);

select * from finish();
rollback;
