begin;
select plan(1);

create temporary table before as select q.queue_name from pgmq.list_queues() as q;
select pgmq.create('tap_l1'), pgmq.create_unlogged('tap_l2');
select results_eq(
  $$ select q.queue_name::text, q.is_unlogged from pgmq.list_queues() as q where q.queue_name not in (select b.queue_name from before as b) order by 1 $$,
  $$ values ('tap_l1', false), ('tap_l2', true) $$, 'logged and unlogged queues are listed'
);

select * from finish();
rollback;
