begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');

select ok(tasker.resolve_step_manually(tasker_test.the_step('top'), 'done by mail', 'ann'), 'resolve_step_manually returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=resolved_manually left=enqueued right=enqueued bottom=pending',
  'its children are enqueued'
);
select is(tasker_test.last_entry('top'), 'ResolveManually by ann for done by mail', 'the log has the actor and the reason');
select tasker_test.run('left', 'right', 'bottom');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty(
  $$ select from tasker.workflow_step_result_audit where task_uuid = tasker_test.the_task() and step_no = 1 and success $$,
  'the audit has no result of the step'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
