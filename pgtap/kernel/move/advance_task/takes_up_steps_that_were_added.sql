begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker.add_steps(tasker_test.the_task(), '[{"name": "extra", "dependencies": ["top"]}, {"name": "more", "dependencies": ["extra"]}]');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending extra=pending more=pending',
  'added steps are pending at first'
);

select tasker.advance_task(tasker_test.the_task());
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending extra=enqueued more=pending',
  'the added step without open dependencies is enqueued'
);
select tasker.add_step_edge(tasker_test.the_step('more'), tasker_test.the_step('bottom'));
select tasker_test.run('left', 'right');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=complete right=complete bottom=pending extra=enqueued more=pending',
  'a step waits for a parent that was added'
);
select tasker_test.run('extra', 'more', 'bottom');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task is complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
