begin;
set local client_min_messages = error;
select plan(5);

select tasker_test.freeze();
select from tasker.register_namespace('test', p_transport => 'pgmq');
select tasker_test.launch();
select from tasker_test.claim();
select is(tasker_test.fail('top'), 'retrying', 'a step fails');
select pgmq.drop_queue('worker_test_queue');
select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 1, 'its next attempt is due');
select is(tasker_test.the_steps(), 'top enqueued, left pending, right pending, bottom pending', 'the step is enqueued without a message');
select from tasker_test.claim();
select is(tasker_test.complete('top'), 'completed', 'its result is recorded, and its children are enqueued without messages');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
