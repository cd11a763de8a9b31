begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register_as('halting', '{"on_failure": "halt"}', 'bad', 'good', 'after_good good', 'after_both bad good');
select tasker_test.create_task('halting');
select tasker_test.claim('bad', 'good');
select tasker_test.fail_for_good('bad');
select is(tasker_test.states(), 'steps_in_process: bad=error good=in_progress after_good=pending after_both=pending', 'running steps continue after the failure');
select tasker_test.finish('good');
select is(
  tasker_test.states(), 'blocked_by_failures: bad=error good=complete after_good=pending after_both=pending',
  'no further step starts'
);

select ok(tasker.retry_step(tasker_test.the_step('bad')), 'retry_step returns true');
select is(
  tasker_test.states(), 'steps_in_process: bad=enqueued good=complete after_good=enqueued after_both=pending',
  'the steps that were held back are enqueued'
);
select tasker_test.run('bad', 'after_good', 'after_both');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
