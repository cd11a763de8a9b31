begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting(
  'order', '[{"name": "each", "for_each": "$.lines", "max_parallel": 2, "retry": {"max_attempts": 2}}, {"name": "after", "dependencies": ["each"]}]',
  p_context => '{"lines": [0, 1, 2, 3]}'
);
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=enqueued each[1]=enqueued', 'two instances start');
select tasker_test.claim('each[0]');
select tasker_test.fail_for_good('each[0]', false);
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=waiting_for_retry each[1]=enqueued', 'an instance that waits for a retry keeps its place');
select tasker_test.pass('1 hour');
select tasker_test.expand();
select tasker_test.claim('each[0]');
select tasker_test.fail_for_good('each[0]');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=error each[1]=enqueued', 'an instance that has failed for good keeps its place');
select tasker_test.run('each[1]');
select is(tasker_test.states(), 'waiting_for_dependencies: each=pending after=pending each[0]=error each[1]=complete', 'the task is not blocked while more can start');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=error each[1]=complete each[2]=enqueued', 'a settled instance frees its place');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.resolve_step_manually(tasker_test.the_step('each[0]'));
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=resolved_manually each[1]=complete each[2]=enqueued each[3]=enqueued', 'an instance that an operator resolves frees its place');
select tasker_test.run('each[2]', 'each[3]');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=complete after=enqueued each[0]=resolved_manually each[1]=complete each[2]=complete each[3]=complete', 'the map completes');
select is_empty('select tasker_test.violations()', 'every invariant holds at the end');

select * from finish();
rollback;
