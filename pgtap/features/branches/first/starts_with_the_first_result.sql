begin;
select plan(16);
create function pg_temp.make(p_on_failure text default 'continue') returns void language sql as $$
  select from tasker_test.create_waiting(
    'race_' || p_on_failure, '[{"name": "a"}, {"name": "b"}, {"name": "b2", "dependencies": ["b"]}, {"name": "c"}, {"name": "log", "dependencies": ["c"]},
      {"name": "go", "join": "first", "dependencies": ["a", "b2", "c"]}]',
    jsonb_build_object('on_failure', p_on_failure)
  );
$$;
select pg_temp.make();
select tasker_test.claim('b');
select is(tasker_test.play('a'), 'steps_in_process: a complete, b cancelled, b2 cancelled, c enqueued, log pending, go enqueued', 'the first result starts the step and cancels what nothing else needs');
select is(tasker_test.finish('b'), 'cancelled', 'the result of a running one is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');

select ok(
  (select e.summary like '%It lost a race: step "go" has begun with the first result.%' from tasker.explain_step(tasker_test.the_step('b')) as e),
  'explain_step says so'
);
select is(tasker_test.play('go', 'c', 'log'), 'complete: a complete, b cancelled, b2 cancelled, c complete, log complete, go complete', 'what another step needs runs on');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.make();
select is(tasker_test.play('a!', 'b', 'b2'), 'steps_in_process: a cancelled, b complete, b2 complete, c enqueued, log pending, go enqueued', 'a failure before the first result blocks nothing');
select is(tasker_test.play('c', 'log', 'go'), 'complete: a cancelled, b complete, b2 complete, c complete, log complete, go complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.make('fail');
select is(tasker_test.play('a!', 'c', 'log', 'go'), 'complete: a cancelled, b cancelled, b2 cancelled, c complete, log complete, go complete', 'with on_failure: fail, too');
select pg_temp.make('continue');
select is(tasker_test.play('a!', 'b!', 'c!'), 'blocked_by_failures: a error, b error, b2 pending, c error, log pending, go pending', 'without any result the task is blocked');
select tasker.retry_step(tasker_test.the_step('b'));
select tasker.fire_due_timers(1000);
select is(tasker_test.play('b', 'b2'), 'steps_in_process: a cancelled, b complete, b2 complete, c error, log pending, go enqueued', 'a retry ends the race') ;
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.create_waiting('none', '[{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "when": "$.x == 1"}]}, {"name": "c", "dependencies": [{"step": "a", "when": "$.x == 2"}]}, {"name": "go", "join": "first", "dependencies": ["b", "c"]}]');
select is(tasker_test.play('a'), 'complete: a complete, b cancelled, c cancelled, go cancelled', 'without a satisfied dependency the step is skipped');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select * from finish();
rollback;
