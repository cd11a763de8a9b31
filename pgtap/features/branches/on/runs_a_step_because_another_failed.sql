begin;
select plan(18);
select tasker_test.freeze('2026-11-28 12:00:00+00');

create function pg_temp.make(p_on_failure text default 'continue') returns void language sql as $$
  select from tasker_test.create_waiting(
    'guarded_' || p_on_failure, '[{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["b"]},
      {"name": "alert", "dependencies": [{"step": "b", "on": "failed"}]},
      {"name": "clean", "join": "settled", "dependencies": [{"step": "c", "on": "ended"}]}]',
    jsonb_build_object('on_failure', p_on_failure)
  );
$$;
select pg_temp.make();
select is(tasker_test.play('a', 'b'), 'steps_in_process: a complete, b complete, c enqueued, alert cancelled, clean pending', 'a failure branch is skipped if the step succeeds');
select is(tasker_test.play('c'), 'steps_in_process: a complete, b complete, c complete, alert cancelled, clean enqueued', 'the last step runs after a success');
select is((select c.inputs from tasker.claim_step(tasker_test.the_step('clean'), tasker_test.worker()) as c), '{"failures": []}', 'it finds no failure in its inputs');
select tasker_test.finish('clean');
select is(tasker_test.play(), 'complete: a complete, b complete, c complete, alert cancelled, clean complete', 'the task completes');

select pg_temp.make();
select is(tasker_test.play('a', 'b!'), 'steps_in_process: a complete, b cancelled, c cancelled, alert enqueued, clean enqueued', 'a failure settles, and both branches run');
select is(
  (select c.inputs from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{alert}') as c),
  '{"failures": [{"step": "b", "error": "the bank is closed", "attempts": 1, "failed_at": "2026-11-28T12:00:00+00:00"}]}', 'the claim hands the failure out'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');

select results_eq(
  $$ select l.event, l.reason from tasker.workflow_step_transition_log as l
      where l.task_uuid = tasker_test.the_task() and l.step_no = 2 order by l.sort_key desc limit 2 $$,
  $$ values ('Tolerate', 'step "alert" waits for its failure'), ('Fail', null) $$, 'the log shows that it failed, and why the task went on'
);
select ok(
  (select e.summary like '%It failed after 1 attempts: the bank is closed. The task went on: step "alert" waits for its failure.%' from tasker.explain_step(tasker_test.the_step('b')) as e),
  'explain_step says so'
);
select tasker_test.finish('alert');
select is(tasker_test.play('clean'), 'complete: a complete, b cancelled, c cancelled, alert complete, clean complete', 'the task completes although a step failed');

select pg_temp.make();
select is(tasker_test.play('a!'), 'steps_in_process: a cancelled, b cancelled, c cancelled, alert enqueued, clean enqueued', 'a failure further up is passed on');

select pg_temp.make('halt');
select is(tasker_test.play('a', 'b!', 'alert', 'clean'), 'complete: a complete, b cancelled, c cancelled, alert complete, clean complete', 'a failure that a step waits for does not halt the task');

select pg_temp.make('fail');
select is(tasker_test.play('a', 'b!', 'alert'), 'steps_in_process: a complete, b cancelled, c cancelled, alert complete, clean enqueued', 'with on_failure: fail the branches run');
select is(tasker_test.play('clean'), 'error: a complete, b cancelled, c cancelled, alert complete, clean complete', 'then the task fails');
select is((select tasker.get_task_result(tasker_test.the_task()) #>> '{failed,error}'), 'the bank is closed', 'its result names the failure');
select throws_ok(
  format('select tasker.reset_task(%L)', tasker_test.the_task()), 'TK409',
  format('task %s has no failed step to reset: other steps waited for its failures', tasker_test.the_task()), 'reset_task refuses it'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select * from finish();
rollback;
