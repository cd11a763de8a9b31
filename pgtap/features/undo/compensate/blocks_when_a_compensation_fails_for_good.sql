begin;
select plan(26);

create function pg_temp.make(p_name text) returns text language plpgsql as $$
begin
  perform tasker_test.create_undoable(p_name, '{"A!","B! A","C A"}');
  perform tasker_test.run('A', 'B');
  perform tasker.cancel_task(tasker_test.the_task(), 'no', 'ann');
  perform tasker_test.undo();
  perform tasker_test.claim('undo B');
  perform tasker_test.fail_for_good('undo B');
  return tasker_test.undo();
end;
$$;
select tasker_test.freeze();

select is(pg_temp.make('retry'), 'blocked_by_failures: A=complete B=complete C=cancelled undo B=error', 'a compensation that fails for good blocks the task');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select matches((select x.summary from tasker.explain_step(tasker_test.the_step('undo B')) as x), 'undo.*retry_step', 'explain_step names retry_step as the way out');
select throws_like($$ select tasker.reset_task(tasker_test.the_task()) $$, 'task % is being undone and cannot be reset', 'reset_task refuses the task');
select ok(not tasker.cancel_task(tasker_test.the_task()), 'cancel_task does not cancel it a second time');
select ok(tasker.retry_step(tasker_test.the_step('undo B')), 'retry_step accepts the compensation');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=complete C=cancelled undo B=enqueued', 'the compensation runs again');
select tasker_test.run('undo B');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=complete C=cancelled undo B=complete undo A=enqueued', 'the other compensations follow after a retry');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('direct');
select throws_like(
  $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'blocked_by_failures', 'cancelled') $$,
  'task % cannot go from blocked_by_failures to cancelled: it is being undone, and ends after that', 'a direct call cannot cancel the blocked task'
);
select ok(tasker.transition_task_state_atomic(tasker_test.the_task(), 'blocked_by_failures', 'error'), 'a direct call may give the blocked task up');
select pg_temp.make('resolve');
select ok(tasker.resolve_step_manually(tasker_test.the_step('undo B'), 'by phone'), 'resolve_step_manually accepts the compensation');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=complete C=cancelled undo B=resolved_manually undo A=enqueued', 'the other compensations follow after a resolution');
select pg_temp.make('complete');
select ok(tasker.complete_step_by_name(tasker_test.the_task(), 'undo B', '{}', 'by phone'), 'complete_step_by_name accepts the compensation');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=complete C=cancelled undo B=complete undo A=enqueued', 'the other compensations follow after a completion');

select pg_temp.make('given_up');
select ok(tasker.give_up_task(tasker_test.the_task(), 'never mind', 'bob'), 'give_up_task accepts the task');
select is(tasker_test.undo(), 'cancelled: A=complete B=complete C=cancelled undo B=error', 'the task ends in the state that was asked for first');
select is(tasker_test.last_entry(), 'Cancel by ann for no', 'the log names the actor and the reason of the cancellation');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.make('settled');
select ok(tasker.resolve_task_manually(tasker_test.the_task(), 'all done by hand'), 'resolve_task_manually accepts the task');
select is(tasker_test.undo(), 'resolved_manually: A=complete B=complete C=cancelled undo B=error', 'the task is resolved, and no other compensation runs');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A failure that is not final is retried.
select tasker_test.create_undoable('again', '{A!}', '{"on_failure": "fail"}');
select tasker_test.claim('A');
select tasker_test.fail_for_good('A');
select tasker_test.undo();
select tasker_test.claim('undo A');
select tasker_test.fail_for_good('undo A', false);
select is(tasker_test.undo(), 'waiting_for_retry: A=error undo A=waiting_for_retry', 'a step that failed is undone, too, and its compensation is retried');
select throws_like($$ select tasker.retry_step(tasker_test.the_step('A')) $$, 'step % has failed, and its task is being undone: event Retry does not apply', 'retry_step refuses the step that is undone');
select throws_like(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('A'), 'error', 'pending') $$, 'step % cannot leave error by Retry: its task is being undone', 'transition_step_state_atomic refuses the step that is undone'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
