begin;
select plan(1);

select pgmq.create_non_partitioned('tap_plain');
select results_eq(
  $$ select q.is_partitioned, q.is_unlogged from pgmq.list_queues() as q where q.queue_name = 'tap_plain' $$,
  $$ values (false, false) $$, 'the queue is neither partitioned nor unlogged'
);

select * from finish();
rollback;
