begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template($json$
{
  "namespace": "test", "name": "conditional",
  "steps": [
    {"name": "top"},
    {"name": "if_high", "dependencies": [{"step": "top", "when": "$.amount > 10"}]},
    {"name": "after_high", "dependencies": ["if_high"]},
    {"name": "always", "dependencies": ["top"]},
    {"name": "at_last", "dependencies": ["after_high", "always"], "join": "settled"}
  ]
}
$json$);
select tasker_test.create_task('conditional');

select ok(tasker.resolve_step_manually(tasker_test.the_step('top')), 'a step is resolved without results');
select is(
  tasker_test.states(),
  'steps_in_process: top=resolved_manually if_high=cancelled after_high=cancelled always=enqueued at_last=pending',
  'a child whose condition needs a result is cancelled, and so are its descendants'
);
select tasker_test.run('always', 'at_last');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
