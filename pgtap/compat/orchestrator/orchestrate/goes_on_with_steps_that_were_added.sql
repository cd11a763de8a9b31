begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top', 'left', 'right');
select tasker_test.claim('bottom');
select tasker.add_steps(tasker_test.the_task(), '[{"name": "extra", "dependencies": ["bottom"]}, {"name": "beside"}]');
select is(tasker_test.orchestrate(), '0 requests, 1 timers, 0 tasks, 0 lost, 0 results', 'an orchestrator advances the task');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=complete right=complete bottom=in_progress extra=pending beside=enqueued',
  'the ready ones of the new steps are in the queue'
);
select tasker_test.finish('bottom');
select tasker.add_steps(tasker_test.the_task(), '[{"name": "later", "dependencies": ["beside"]}]');
select tasker_test.run('beside');
select tasker.add_step_edge(tasker_test.the_step('extra'), tasker_test.the_step('later'))
 where tasker.get_current_step_state(tasker_test.the_step('later')) = 'pending';
select is(
  (select count(*) from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10)), 2::bigint,
  'a claim finds the others without an orchestrator'
);
select tasker_test.finish('extra');
select tasker_test.finish('later');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
