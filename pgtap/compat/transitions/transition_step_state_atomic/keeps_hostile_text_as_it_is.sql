begin;
select plan(5);

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');

select ok(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration', null,
    jsonb_build_object(
      'error', 'x''); drop schema tasker cascade; --',
      'reason', E'"\\ %s %I $$ {} \n \u2028 \u00e9',
      'backoff_seconds', 0,
      'key''); drop table', '{"event": "Cancel"}'
    )
  ),
  'hostile texts are accepted'
);
select is(
  (select s.last_error from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')),
  'x''); drop schema tasker cascade; --',
  'the step has the error unchanged'
);
select is(
  (
    select row(l.event, l.reason, l.metadata)::text
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.sort_key = 3
  ),
  row(
    'EnqueueForOrchestration',
    E'"\\ %s %I $$ {} \n \u2028 \u00e9',
    '{"error": "x''); drop schema tasker cascade; --", "backoff_seconds": 0, "key''); drop table": "{\"event\": \"Cancel\"}"}'::jsonb
  )::text,
  'the log has the event, the reason and the metadata unchanged'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending', 'enqueued', 'in_progress');
select ok(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null,
    jsonb_build_object('results', jsonb_build_object('note', repeat(E'\u00fc\'";', 10000)))
  ),
  'a long result is'
);
select is(
  (
    select s.results ->> 'note'
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('top')
  ),
  repeat(E'\u00fc\'";', 10000),
  'kept as it is'
);

select * from finish();
rollback;
