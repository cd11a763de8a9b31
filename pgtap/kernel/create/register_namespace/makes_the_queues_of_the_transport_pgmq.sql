begin;
select plan(2);

select tasker_test.take_turn();

select tasker.register_namespace('shop', p_transport => 'pgmq');
prepare queues as
  select q.queue_name::text from pgmq.list_queues() as q where q.queue_name like 'worker\_shop\_%' order by 1;
select results_eq(
  'queues',
  $$ values ('worker_shop_queue'), ('worker_shop_queue_high'), ('worker_shop_queue_low') $$,
  'each lane has a queue'
);
select tasker.register_namespace('shop', p_transport => 'pgmq');
select results_eq(
  'queues',
  $$ values ('worker_shop_queue'), ('worker_shop_queue_high'), ('worker_shop_queue_low') $$,
  'a second registration is accepted'
);

select * from finish();
rollback;
