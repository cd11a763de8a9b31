begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "halting", "on_failure": "halt", "steps": [
  {"name": "bad"}, {"name": "good"}, {"name": "later", "dependencies": ["good"]}, {"name": "last", "dependencies": ["later"]}
]}');
select tasker_test.launch('halting');
select from tasker_test.claim();
select tasker_test.complete('good');
select is(tasker_test.the_steps(), 'bad in_progress, good complete, later enqueued, last pending', 'the task continues while no step has failed');
select from tasker_test.claim();
select tasker_test.fail('bad', 'no', true);
select is(tasker_test.the_state(), 'steps_in_process', 'running steps may end after the failure');
select is(tasker_test.complete('later'), 'completed', 'the result of a running step is accepted');
select is(tasker_test.the_steps(), 'bad error, good complete, later complete, last pending', 'no further step is enqueued');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.retry_step(tasker_test.the_step('bad'), 'me', 'try again');
select is(tasker_test.drain(), 2::bigint, 'the task continues where it stopped after the failure was resolved');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
