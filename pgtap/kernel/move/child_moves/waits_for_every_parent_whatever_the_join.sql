begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "joins", "steps": [
  {"name": "a"}, {"name": "b"}, {"name": "any", "join": "any", "dependencies": ["a", "b"]}, {"name": "settled", "join": "settled", "dependencies": ["a", "b"]}
]}');
select tasker_test.launch('joins');
select from tasker_test.claim();
select tasker_test.complete('a');
select is(tasker_test.the_steps(), 'a complete, b in_progress, any pending, settled pending', 'a child waits for its second parent with every join');
select tasker_test.fail('b', 'no', true);
select is(tasker_test.the_steps(), 'a complete, b error, any pending, settled pending', 'a failed parent does not settle');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the failed parent blocks the task');
select tasker.resolve_step_manually(tasker_test.the_step('b'), 'me', 'seen to');
select is(tasker_test.the_steps(), 'a complete, b resolved_manually, any enqueued, settled enqueued', 'the children run after the parent is resolved');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
