begin;
select plan(12);

select tasker_test.freeze();
select tasker.register_namespace('test', p_transport => 'pgmq');
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
select p.msg_id as message, (p.message ->> 'step_uuid') as step from tasker.peek_queue('worker_test_queue', 10) as p \gset
select is(:'step'::uuid, tasker_test.the_step('a'), 'a message names the ready step');
select results_eq(
  format(
    'select c.name, c.claim_no from tasker.pgmq_read_specific_message(%L, %s) as m cross join lateral tasker.claim_step((m.message ->> %L)::uuid, tasker_test.worker()) as c',
    'worker_test_queue', :message, 'step_uuid'
  ),
  $$ values ('a', 1) $$, 'the reader of the message claims the step'
);
select pgmq.delete('worker_test_queue', :message);
select is_empty(format('select from tasker.claim_step(%L, tasker_test.worker(2))', :'step'), 'an old copy of the message claims nothing');

select tasker_test.fail('a');
select tasker_test.pass('10 seconds');
select tasker.fire_due_timers();
select results_eq($$ select p.message ->> 'step_uuid' from tasker.peek_queue('worker_test_queue', 10) as p $$, $$ values (tasker_test.the_step('a')::text) $$, 'the next attempt has a message of its own');
select is((select c.claim_no from tasker.claim_step(tasker_test.the_step('a'), tasker_test.worker()) as c), 2, 'that message claims the next attempt');

select pgmq.purge_queue('worker_test_queue');
select tasker_test.pass('2 minutes');
select from tasker.orchestrate();
select results_eq($$ select p.message ->> 'step_uuid' from tasker.peek_queue('worker_test_queue', 10) as p $$, $$ values (tasker_test.the_step('a')::text) $$, 'a step whose worker was lost has a message of its own');
select is((select c.claim_no from tasker.claim_step(tasker_test.the_step('a'), tasker_test.worker()) as c), 3, 'that message claims the lost step');
select pgmq.purge_queue('worker_test_queue');
select tasker.release_steps(array[tasker_test.the_step('a')], '{3}');
select results_eq($$ select p.message ->> 'step_uuid' from tasker.peek_queue('worker_test_queue', 10) as p $$, $$ values (tasker_test.the_step('a')::text) $$, 'a released step has a message of its own');

select pgmq.purge_queue('worker_test_queue');
select is((select c.claim_no from tasker.claim_step(tasker_test.the_step('a'), tasker_test.worker()) as c), 4, 'a step can be claimed although the queue was emptied');
select is(tasker_test.complete('a'), 'completed', 'the step completes');
select results_eq($$ select p.message ->> 'step_uuid' from tasker.peek_queue('worker_test_queue', 10) as p $$, $$ values (tasker_test.the_step('b')::text) $$, 'its child is announced');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
