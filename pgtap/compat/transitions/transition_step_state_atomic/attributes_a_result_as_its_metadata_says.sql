begin;
select plan(4);

select tasker_test.make_task_in('enqueuing_steps');
select tasker_test.bring_step(tasker_test.the_step('top'), 'in_progress');
select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'in_progress', 'enqueued_for_orchestration', null, '{"worker_uuid": "me"}') $$,
    tasker_test.the_step('top')),
  'TK422', '"worker_uuid" of a transition is not a UUID', 'a worker that is not a UUID is refused'
);
select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'in_progress', 'enqueued_for_orchestration', null, '{"correlation_id": 7}') $$,
    tasker_test.the_step('top')),
  'TK422', '"correlation_id" of a transition is not a UUID', 'a request that is not a UUID is refused'
);
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', '33333333-3333-4333-8333-333333333333',
  '{"worker_uuid": "44444444-4444-4444-8444-444444444444", "correlation_id": "55555555-5555-4555-8555-555555555555"}'
);
select results_eq(
  $$ select a.worker_uuid, a.correlation_id from tasker.get_step_audit_history(tasker_test.the_step('top')) as a $$,
  $$ values ('44444444-4444-4444-8444-444444444444'::uuid, '55555555-5555-4555-8555-555555555555'::uuid) $$,
  'the metadata takes precedence over the processor'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
