begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('test', p_transport => 'pgmq');
select tasker_test.create_waiting('sent', '[{"name": "a"}]');
select pgmq.purge_queue('worker_test_queue');
select tasker.pause_task(tasker_test.the_task());
select is((select count(*) from pgmq.read('worker_test_queue', 30, 10)), 0::bigint, 'a pause sends nothing');
select is((select c.answer::text from tasker.claim_delivered_steps(array[tasker_test.the_step('a')], tasker_test.worker()) as c), 'paused', 'a message that was sent before is put off');
select tasker.resume_task(tasker_test.the_task());
select is((select m.message ->> 'step_uuid' from pgmq.read('worker_test_queue', 30, 10) as m), tasker_test.the_step('a')::text, 'the end of the pause sends the message of the ready step');
select is((select c.name from tasker.claim_delivered_steps(array[tasker_test.the_step('a')], tasker_test.worker()) as c), 'a', 'and the step starts');

select * from finish();
rollback;
