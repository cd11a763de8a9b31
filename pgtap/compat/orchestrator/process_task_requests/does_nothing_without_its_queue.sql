begin;
select plan(1);

select tasker_test.take_turn();
select pgmq.drop_queue('orchestration_task_requests') where tasker.queue_exists('orchestration_task_requests');
select is(tasker.process_task_requests(), 0, 'a call without a queue processes nothing');

select * from finish();
rollback;
