begin;
select plan(8);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();

prepare step (text) as
  select s.results, s.last_error, s.last_failure_at, s.processed_at
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step($1);

select tasker_test.fail_step(tasker_test.the_step('top'), '{"error": "no such card", "backoff_seconds": 0}');
select tasker_test.pass('1 second');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending');
select results_eq(
  $$ execute step ('top') $$,
  $$ values (null::jsonb, 'no such card', timestamptz '2050-01-20 12:00:00+00', null::timestamptz) $$,
  'a failed attempt leaves its error and its time'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued', 'in_progress');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null, '{"results": {"charged": 12.50}}'
);
select results_eq(
  $$ execute step ('top') $$,
  $$ values ('{"charged": 12.50}'::jsonb, 'no such card', timestamptz '2050-01-20 12:00:00+00', null::timestamptz) $$,
  'a result is stored with the error of the attempt before'
);
select is(
  (
    select v.metadata
      from tasker.workflow_step_transitions as v
     where v.workflow_step_uuid = tasker_test.the_step('top')
       and v.most_recent
  ),
  '{}'::jsonb,
  'the log does not repeat the result'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'complete');
select results_eq(
  $$ execute step ('top') $$,
  $$
  values ('{"charged": 12.50}'::jsonb, 'no such card', timestamptz '2050-01-20 12:00:00+00', timestamptz '2050-01-20 12:00:01+00')
  $$,
  'a complete step keeps its result and the time of its processing'
);

select tasker.transition_step_state_atomic(
  tasker_test.the_step('left'), 'pending', 'complete', null, '{"results": [1, 2]}'
);
select results_eq(
  $$ execute step ('left') $$,
  $$ values ('[1, 2]'::jsonb, null::text, null::timestamptz, timestamptz '2050-01-20 12:00:01+00') $$,
  'a result that was entered by hand is stored'
);

select tasker_test.bring_step(tasker_test.the_step('right'), 'enqueued');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('right'), 'enqueued', 'error', null, '{"error": "no handler"}'
);
select results_eq(
  $$ execute step ('right') $$,
  $$ values (null::jsonb, 'no handler', timestamptz '2050-01-20 12:00:01+00', null::timestamptz) $$,
  'a step that failed before it ran has its error'
);

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null, '{"results": null}'
);
select is(
  (select s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')),
  'null'::jsonb,
  'JSON null is stored as a result'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
