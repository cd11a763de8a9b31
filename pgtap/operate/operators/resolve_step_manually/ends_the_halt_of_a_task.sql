begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register_as('halting', '{"on_failure": "halt"}', 'bad', 'good', 'after_good good', 'after_both bad good');
select tasker_test.create_task('halting');
select tasker_test.claim('bad', 'good');
select tasker_test.finish('good');
select is(
  tasker_test.states(), 'steps_in_process: bad=in_progress good=complete after_good=enqueued after_both=pending',
  'the task continues before a failure'
);
select tasker_test.fail_for_good('bad');
select tasker_test.run('after_good');
select is(
  tasker_test.states(), 'blocked_by_failures: bad=error good=complete after_good=complete after_both=pending',
  'the step that was in the queue has run'
);

select ok(tasker.resolve_step_manually(tasker_test.the_step('bad')), 'the failed step is resolved');
select is(
  tasker_test.states(), 'steps_in_process: bad=resolved_manually good=complete after_good=complete after_both=enqueued',
  'the task continues'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
