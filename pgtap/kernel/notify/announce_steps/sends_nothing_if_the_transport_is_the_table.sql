begin;
select plan(1);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select tasker.ensure_task_queue('worker_test_queue');
select tasker.create_task('test', 'diamond');
select is((select count(*) from pgmq.read('worker_test_queue', 0, 10)), 0::bigint, 'no message is sent for a ready step');

select * from finish();
rollback;
