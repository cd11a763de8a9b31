begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template('{
  "namespace": "test", "name": "order", "version": "2.1.0", "steps": [
    {"name": "charge", "handler": "charge_card", "priority": 3, "timeout_seconds": 20,
     "retry": {"max_attempts": 5}, "initialization": {"currency": "EUR"}}
  ]
}');
select c.task_uuid as task
  from tasker.create_task(
    'test', 'order', '{"id": 7}', p_correlation_id => '00000000-0000-4000-8000-0000000000c1',
    p_parent_correlation_id => '00000000-0000-4000-8000-0000000000c0', p_headers => '{"traceparent": "00-1"}'
  ) as c \gset
select set_config('tasker_test.task', :'task', true);
select results_eq(
  $$ select to_jsonb(c) - 'lease_until' from tasker.claim_steps('{test}', tasker_test.worker(), 10, 90) as c $$,
  $$
  select jsonb_build_object(
    'step_uuid', tasker_test.the_step('charge'), 'claim_no', 1,
    'task_uuid', tasker_test.the_task(), 'step_no', 1,
    'namespace', 'test', 'task_name', 'order', 'task_version', '2.1.0', 'name', 'charge', 'handler', 'charge_card',
    'attempt', 1, 'max_attempts', 5, 'lost_count', 0, 'priority', 3, 'timeout_seconds', 20,
    'correlation_id', '00000000-0000-4000-8000-0000000000c1', 'parent_correlation_id', '00000000-0000-4000-8000-0000000000c0',
    'headers', '{"traceparent": "00-1"}'::jsonb, 'inputs', '{"currency": "EUR"}'::jsonb, 'checkpoint', null, 'last_error', null,
    'context', '{"id": 7}'::jsonb, 'parent_results', '{}'::jsonb, 'kept', null
  )
  $$,
  'the claim returns one row with everything that a handler needs'
);
select results_eq(
  $$ select s.state, s.worker_uuid, s.lease_until - tasker.clock(), s.last_attempted_at = tasker.clock()
       from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() $$,
  $$ values ('in_progress'::tasker.step_state, tasker_test.worker(), interval '90 seconds', true) $$,
  'the step belongs to the worker for the given lease'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
