begin;
select plan(2);

select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'), '{"n": 1}');
select tasker_test.complete_step(tasker_test.the_step('left'), '[2]');
select tasker_test.move_step(tasker_test.the_step('right'), 'enqueued');

select results_eq(
  $$
  select d.step_name, d.workflow_step_uuid, d.current_state::text, d.processed, d.results
    from tasker.get_step_transitive_dependencies(tasker_test.the_step('bottom')) as d
  $$,
  $$
  values
    ('left', tasker_test.the_step('left'), 'complete', true, '[2]'::jsonb),
    ('right', tasker_test.the_step('right'), 'enqueued', false, null),
    ('top', tasker_test.the_step('top'), 'complete', true, '{"n": 1}')
  $$,
  'each ancestor has its state and its result'
);
select tasker_test.move_step(tasker_test.the_step('right'), 'resolved_manually');
select ok(
  (select bool_and(d.processed) from tasker.get_step_transitive_dependencies(tasker_test.the_step('bottom')) as d),
  'a step that was resolved manually is processed'
);

select * from finish();
rollback;
