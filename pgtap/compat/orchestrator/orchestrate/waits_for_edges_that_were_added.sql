begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker.add_steps(tasker_test.the_task(), '[{"name": "check"}]');
select tasker.add_step_edge(tasker_test.the_step('check'), tasker_test.the_step('bottom'), p_condition => '$.ok == true');
select tasker_test.orchestrate();
select tasker_test.run('left', 'right');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=complete right=complete bottom=pending check=enqueued',
  'a step waits for the added edge'
);
select tasker_test.claim('check');
select tasker_test.finish('check', '{"ok": false}');
select is(
  tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=cancelled check=complete',
  'the condition of the added edge is false: the step is cancelled, and the task completes'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
