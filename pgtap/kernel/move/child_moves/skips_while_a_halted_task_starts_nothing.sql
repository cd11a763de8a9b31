begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "halting", "on_failure": "halt", "steps": [
  {"name": "bad"}, {"name": "good"},
  {"name": "no", "dependencies": [{"step": "good", "when": "$.go == true"}]},
  {"name": "after_no", "dependencies": ["no"]}, {"name": "yes", "dependencies": ["good"]}
]}');
select tasker_test.launch('halting');
select from tasker_test.claim();
select tasker_test.fail('bad', 'no', true);
select tasker_test.complete('good');
select is(tasker_test.the_steps(), 'bad error, good complete, no cancelled, after_no cancelled, yes pending', 'a halted task skips steps whose condition does not hold');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.resolve_step_manually(tasker_test.the_step('bad'), 'me', 'seen to');
select is(tasker_test.the_steps(), 'bad resolved_manually, good complete, no cancelled, after_no cancelled, yes enqueued', 'the task continues after the failure is resolved');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
