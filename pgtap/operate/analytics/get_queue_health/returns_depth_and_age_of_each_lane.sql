begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.pass('20 seconds');
select tasker_test.start_task();
select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select results_eq(
  $$ select q.namespace_name, q.ready_steps, q.leased_steps, q.oldest_ready_seconds, q.paused from tasker.get_queue_health() as q where q.lane = 'normal' $$,
  $$ values ('test', 2::bigint, 0::bigint, 20::float8, false) $$, 'a lane has the number of ready steps and the age of the oldest'
);
select is((select q.leased_steps from tasker.get_queue_health() as q where q.lane = 'running'), 1::bigint, 'the lane running has the running step');
select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued_for_orchestration');
select results_eq(
  $$ select q.ready_steps, q.leased_steps from tasker.get_queue_health() as q where q.lane = 'results' $$,
  $$ values (1::bigint, 0::bigint) $$, 'the lane results has a result that waits'
);
select is((select count(*) from tasker.get_queue_health()), 7::bigint, 'every lane has a row');

select * from finish();
rollback;
