begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_task_template($json$
{
  "namespace": "test", "name": "conditional",
  "steps": [
    {"name": "top"},
    {"name": "if_high", "dependencies": [{"step": "top", "when": "$.amount > 10"}]},
    {"name": "if_low", "dependencies": [{"step": "top", "when": "$.amount <= 10"}]}
  ]
}
$json$);
select tasker_test.create_task('conditional');

select tasker.complete_step_manually(tasker_test.the_step('top'), '{"amount": 42}');
select is(tasker_test.states(), 'steps_in_process: top=complete if_high=enqueued if_low=cancelled', 'the result decides which child runs and which is skipped');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
