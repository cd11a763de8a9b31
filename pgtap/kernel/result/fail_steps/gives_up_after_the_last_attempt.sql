begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "chain", "steps": [
  {"name": "a", "retry": {"max_attempts": 2}}, {"name": "b", "dependencies": ["a"]}
]}');
select tasker_test.launch('chain');
select from tasker_test.claim();
select is(tasker_test.fail('a'), 'retrying', 'the first failure is retried');
select tasker_test.pass('1 minute');
select from tasker_test.claim();
select is(tasker_test.fail('a'), 'failed', 'the second failure is final');
select is(tasker_test.the_steps(), 'a error, b pending', 'the step that depends on it stays pending');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select tasker_test.pass('1 day');
select is_empty('select from tasker_test.claim()', 'no step can be claimed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
