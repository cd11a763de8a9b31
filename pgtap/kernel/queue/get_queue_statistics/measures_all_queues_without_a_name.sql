begin;
select plan(1);

select tasker_test.take_turn();
create temporary table before as select s.queue_name from tasker.get_queue_statistics() as s;
select tasker.ensure_task_queue('tap_s2'), tasker.ensure_task_queue('tap_s1');
select results_eq(
  $$ select s.queue_name from tasker.get_queue_statistics() as s where s.queue_name not in (select b.queue_name from before as b) $$,
  $$ values ('tap_s1'), ('tap_s2') $$, 'all queues are returned, by name'
);

select * from finish();
rollback;
