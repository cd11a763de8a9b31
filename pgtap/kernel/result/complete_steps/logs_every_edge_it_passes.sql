begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim(1, 3);
select from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}', null, '{7}');
select results_eq(
  $$ select l.sort_key, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.execution_time_ms, l.worker_uuid
       from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() order by 1 $$,
  $$ values
    (1, 'Enqueue', 'pending', 'enqueued', 0, null::bigint, null::uuid),
    (2, 'Start', 'enqueued', 'in_progress', 1, null, tasker_test.worker(3)),
    (3, 'EnqueueForOrchestration', 'in_progress', 'enqueued_for_orchestration', 1, 7, tasker_test.worker(3)),
    (4, 'Complete', 'enqueued_for_orchestration', 'complete', 1, null, null) $$,
  'the step''s log has every transition, with its worker and its duration'
);
select results_eq(
  $$ select l.event, l.from_state::text, l.to_state::text from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() order by l.sort_key $$,
  $$ values
    ('Start', 'pending', 'initializing'),
    ('ReadyStepsFound', 'initializing', 'enqueuing_steps'),
    ('StepsEnqueued', 'enqueuing_steps', 'steps_in_process'),
    ('AllStepsCompleted', 'steps_in_process', 'evaluating_results'),
    ('AllStepsSuccessful', 'evaluating_results', 'complete') $$,
  'the task''s log has every transition'
);

select * from finish();
rollback;
