begin;
select plan(7);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.register_as('diamond', '{}', 'top', 'left top', 'right top', 'bottom left right');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond"}');
select pgmq.send('orchestration_task_requests', $json$
{
  "namespace": "test", "name": "diamond", "context": {"amount": 42}, "version": "0.1.0", "priority": 7,
  "tags": ["red", "blue"], "initiator": "ann", "source_system": "shop", "reason": "an order",
  "correlation_id": "00000000-0000-0000-0000-0000000000cc", "parent_correlation_id": "00000000-0000-0000-0000-0000000000dd",
  "headers": {"traceparent": "00-1-2-03"}, "start_at": "2040-01-01T13:00:00Z", "deferred": false,
  "deadline": "2040-01-02T12:00:00Z", "identity_ttl": "1 hour", "identity_key": null
}
$json$);

select is(tasker.process_task_requests(), 2, 'both tasks are created');
select results_eq(
  $$
  select t.state::text, t.priority, t.tags, t.initiator, t.source_system, t.reason, t.correlation_id,
         t.parent_correlation_id, t.headers, t.context, t.deadline
    from tasker.tasks as t
   where t.initiator = 'ann'
  $$,
  $$
  values (
    'pending', 7, '{red, blue}'::text[], 'ann', 'shop', 'an order', '00000000-0000-0000-0000-0000000000cc'::uuid,
    '00000000-0000-0000-0000-0000000000dd'::uuid, '{"traceparent": "00-1-2-03"}'::jsonb, '{"amount": 42}'::jsonb,
    timestamptz '2040-01-02 12:00:00+00'
  )
  $$,
  'the task has everything that the message says, and defaults for nulls'
);
select results_eq(
  $$
  select m.kind::text, m.due_at
    from tasker.tasks as t
    join tasker.timers as m on m.task_uuid = t.task_uuid
   where t.initiator = 'ann'
   order by m.due_at
  $$,
  $$ values ('start_task', timestamptz '2040-01-01 13:00:00+00'), ('task_deadline', '2040-01-02 12:00:00+00') $$,
  'the task has the start and the deadline of the message'
);
select is(
  (select count(*) from tasker.tasks as t where t.context = '{}' and t.state = 'steps_in_process' and t.started_at = tasker.clock()),
  1::bigint, 'the task of the plain message has started'
);
select is_empty($$ select from tasker.peek_queue('orchestration_task_requests') $$, 'the messages are deleted');
select is(tasker.process_task_requests(), 0, 'a repeated call finds nothing');
select is_empty(
  'select v from tasker.tasks as t cross join tasker_test.violations(t.task_uuid) as v where t.requested_at = tasker.clock()',
  'every invariant holds'
);

select * from finish();
rollback;
