begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "check"},
  {"name": "approve", "dependencies": ["check"], "await": {"signal": "approved"}, "timeout": "1h"},
  {"name": "again", "dependencies": ["approve"], "await": {"signal": "approved"}},
  {"name": "ship", "dependencies": ["again"]}
]');

select is(tasker_test.signal('approved', '{"n": 1}'), 'kept', 'a signal that no step waits for yet is kept');
select is(tasker_test.signal('approved', '{"n": 2}'), 'kept', 'a second signal of the same name is kept, too');
select tasker_test.run('check');
select is(
  tasker_test.states(), 'steps_in_process: check=complete approve=complete again=complete ship=enqueued',
  'the first step that begins to wait takes each signal, within the call that makes the step ready'
);
select results_eq(
  $$ select s.results -> 'payload' from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.await is not null order by s.step_no $$,
  $$ values ('{"n": 1}'::jsonb), ('{"n": 2}') $$, 'signals are taken in the order in which they were sent'
);
select results_eq(
  $$ select l.event from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 2 order by l.sort_key $$,
  array['Suspend', 'EnqueueForOrchestration', 'Complete'], 'the log shows that the step waited'
);
select is(
  (select l.metadata from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() and l.event = 'StepCompleted'),
  '{"count": 3, "step_nos": [1, 2, 3]}', 'the task''s log lists the steps that ended in their order'
);
select is((select count(*) from tasker.timers), 0::bigint, 'the timer of the wait is deleted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
