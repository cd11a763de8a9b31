begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond", "context": {"no": 1}}')
  from generate_series(1, 3);
select is(tasker.process_task_requests(), 3, 'all messages are processed');
select is(
  (select count(*) from tasker.tasks as t where t.context = '{"no": 1}' and t.requested_at = tasker.clock()), 1::bigint, 'the messages create one task'
);

select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond", "context": {"no": 1}}');
select tasker_test.pass('1 hour');
select is(tasker.process_task_requests(), 1, 'a message that is delivered again is processed');
select is((select count(*) from tasker.tasks as t where t.context = '{"no": 1}'), 1::bigint, 'it creates no second task');
select throws_ok(
  $$ select from tasker.peek_queue('orchestration_task_requests_rejected') $$, 'TK404', 'queue "orchestration_task_requests_rejected" does not exist', 'no message is rejected'
);

select pgmq.send('orchestration_task_requests', jsonb_build_object(
  'namespace', 'test', 'name', 'diamond', 'context', '{"no": 2}'::jsonb, 'task_uuid', tasker_test.task_uuid_at(tasker.clock())
))
  from generate_series(1, 2);
select is(tasker.process_task_requests(), 2, 'two messages with the same task UUID are processed');
select is((select count(*) from tasker.tasks as t where t.context = '{"no": 2}'), 1::bigint, 'they create one task');

select * from finish();
rollback;
