begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "branch", "steps": [
  {"name": "choose"},
  {"name": "left", "dependencies": [{"step": "choose", "when": "$.way == \"left\""}]},
  {"name": "right", "dependencies": [{"step": "choose", "when": "$.way == \"right\""}]},
  {"name": "left_2", "dependencies": ["left"]}, {"name": "right_2", "dependencies": ["right"]},
  {"name": "meet", "join": "any", "dependencies": ["left_2", "right_2"]},
  {"name": "both", "dependencies": ["left_2", "right_2"]},
  {"name": "anyway", "join": "settled", "dependencies": ["both"]}
]}');
select tasker_test.launch('branch');
select from tasker_test.claim();
select tasker_test.complete('choose', '{"way": "right"}');
select is(
  tasker_test.the_steps(),
  'choose complete, left cancelled, right enqueued, left_2 cancelled, right_2 pending, meet pending, both pending, anyway pending',
  'the steps of the other branch are skipped up to the join'
);
select is(tasker_test.drain(), 4::bigint, 'the four remaining steps run');
select is(
  tasker_test.the_steps(),
  'choose complete, left cancelled, right complete, left_2 cancelled, right_2 complete, meet complete, both cancelled, anyway complete',
  'a step that needs both branches is skipped; the others run'
);
select is(tasker_test.the_state(), 'complete', 'a task whose steps are done or skipped is complete');
select results_eq(
  $$ select l.event, l.from_state::text, l.to_state::text from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.to_state = 'cancelled' group by 1, 2, 3 $$,
  $$ values ('Skip', 'pending', 'cancelled') $$, 'the log has the event Skip for each skipped step'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
