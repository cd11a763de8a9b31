begin;
select plan(1);

select tasker_test.take_turn();
select pgmq.drop_queue('orchestration_task_requests') where tasker.queue_exists('orchestration_task_requests');
select is(tasker.process_task_requests(), 0, 'nobody has ever sent a request');

select * from finish();
rollback;
