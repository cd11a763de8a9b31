begin;
select plan(16);

select tasker_test.freeze();
create function pg_temp.make(p_name text, p_fields jsonb default '{}') returns void language sql as $$
  select tasker_test.create_undoable(p_name, '{A!,"B! A"}', p_fields);
  select tasker_test.run('A');
  select tasker_test.claim('B');
  select tasker.cancel_task(tasker_test.the_task());
$$;

select pg_temp.make('fails');
select tasker_test.fail_for_good('B', false);
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo B=enqueued', 'a step that fails while its task is undone is not tried again');
select is((select s.inputs - 'step_uuid' from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('undo B')),
  '{"step": "B", "initialization": {}, "result_unknown": true}'::jsonb, 'a failed step is undone with result_unknown');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('released');
select is(
  (select a.answer::text from tasker.release_steps(array[tasker_test.the_step('B')], array[tasker_test.claim_no('B')]) as a), 'released',
  'a worker may release its step while the task is undone'
);
select is(tasker_test.states(), 'steps_in_process: A=complete B=in_progress', 'the released step does not return to the queue');
select tasker_test.pass('1 hour');
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 9, p_handlers => '{B}') as c $$, 'no worker claims the released step');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo B=enqueued', 'the released step is undone');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- Waiting steps.
select tasker_test.create_waiting('waits', '[{"name": "A", "compensate": "undo_A"}, {"name": "W", "dependencies": ["A"], "await": {"signal": "go"}},
  {"name": "T", "dependencies": ["A"], "await": {"for": "1h"}}, {"name": "R", "dependencies": ["A"], "compensate": "undo_R"}]');
select tasker_test.run('A');
select tasker_test.claim('R');
select tasker_test.fail_for_good('R', false);
select tasker.cancel_task(tasker_test.the_task());
select is(tasker_test.undo(), 'steps_in_process: A=complete W=cancelled T=cancelled R=cancelled undo R=enqueued', 'steps that wait, also for a retry, are cancelled');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- Results that direct transitions record.
select pg_temp.make('recorded');
select tasker_test.record('B', '{"b": 1}');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=enqueued_for_orchestration', 'a result that is only recorded does not end the step yet');
select tasker.process_step_results();
select is(tasker_test.undo(), 'steps_in_process: A=complete B=complete undo B=enqueued', 'the step ends, and is undone, when the result is processed');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.make('recorded_failure');
select tasker_test.record_error('B');
select tasker.process_step_results();
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo B=enqueued', 'a recorded failure ends the step in the same way');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
