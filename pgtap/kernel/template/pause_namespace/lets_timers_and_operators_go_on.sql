begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');
select tasker.pause_namespace('test');

select tasker_test.pass('2 hours');
select is(tasker_test.orchestrate(), '0 requests, 1 timers, 0 tasks, 0 lost, 0 results', 'a due start fires');
select ok(tasker.resolve_step_manually(tasker_test.the_step('top')), 'an operator may resolve a step');
select is(
  tasker_test.states(), 'steps_in_process: top=resolved_manually left=enqueued right=enqueued bottom=pending', 'its children are enqueued'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
