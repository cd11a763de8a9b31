begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim();
select from tasker.fail_steps(array[tasker_test.the_step('a')], '{1}', '{first}', null, '{3}', '{12}');
select tasker_test.pass('3 seconds');
select from tasker_test.claim();
select from tasker.fail_steps(array[tasker_test.the_step('a')], '{2}', '{second}', '{true}');
select results_eq(
  $$ select l.sort_key, l.event, l.to_state::text, l.metadata, l.execution_time_ms
       from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.sort_key > 2 order by 1 $$,
  $$ values
    (3, 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', '{"error": "first", "backoff_seconds": 3}'::jsonb, 12::bigint),
    (4, 'WaitForRetry', 'waiting_for_retry', null, null),
    (5, 'Retry', 'pending', null, null),
    (6, 'Enqueue', 'enqueued', null, null),
    (7, 'Start', 'in_progress', null, null),
    (8, 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', '{"error": "second", "permanent": true}', 0),
    (9, 'Fail', 'error', null, null) $$,
  'each failed attempt has its own log row'
);
select results_eq(
  $$ select l.event, l.to_state::text from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() and l.sort_key > 3 order by l.sort_key $$,
  $$ values ('StepFailed', 'waiting_for_retry'), ('RetryReady', 'enqueuing_steps'), ('StepsEnqueued', 'steps_in_process'),
            ('StepCompleted', 'evaluating_results'), ('PermanentFailure', 'blocked_by_failures') $$,
  'the task''s log shows every state on its way'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
