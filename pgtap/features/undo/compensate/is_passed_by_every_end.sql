begin;
select plan(34);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.done() returns text language plpgsql as $$
declare
  v_states text;
begin
  perform tasker_test.undo();
  perform tasker_test.run('undo A');
  v_states := tasker_test.undo();
  return v_states || ' ' || (
    select concat_ws(' ', l.event, 'by', coalesce(l.actor, '-'), 'for', coalesce(l.reason, '-'))
      from tasker.task_transition_log as l
     where l.task_uuid = tasker_test.the_task()
     order by l.sort_key desc
     limit 1
  );
end;
$$;
create function pg_temp.make(p_name text, p_fields jsonb default '{}') returns void language sql as $$
  select tasker_test.create_undoable(p_name, '{A!,"B A"}', p_fields);
  select tasker_test.run('A');
$$;

select pg_temp.make('given_up');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select is(tasker_test.undo(), 'blocked_by_failures: A=complete B=error', 'a failure alone undoes nothing');
select ok(tasker.give_up_task(tasker_test.the_task(), 'no', 'ann'), 'give_up_task accepts the task');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo A=enqueued', 'give_up_task starts the compensations');
select is(pg_temp.done(), 'error: A=complete B=error undo A=complete GiveUp by ann for no', 'the task fails after the compensations of give_up_task');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select throws_like($$ select tasker.reset_task(tasker_test.the_task()) $$, 'task % has been undone and cannot be reset', 'reset_task refuses a task that was undone');
select is_empty($$ select from tasker.reset_tasks('x', 'error') as r where r.outcome = 'reset' $$, 'reset_tasks skips a task that was undone');

select pg_temp.make('fails', '{"on_failure": "fail"}');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo A=enqueued', 'on_failure: fail starts the compensations');
select is(pg_temp.done(), 'error: A=complete B=error undo A=complete GiveUp by - for -', 'the task fails after the compensations of on_failure: fail');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('halts', '{"on_failure": "halt"}');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select tasker.give_up_task(tasker_test.the_task());
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo A=enqueued', 'on_failure: halt does not stop compensations');
select tasker.pause_namespace('test', 'ann');
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 9, p_handlers => '{undo_A}') $$, 'a paused namespace hands out no compensation');
select tasker.resume_namespace('test');
select tasker_test.run('undo A');
select is(tasker_test.undo(), 'error: A=complete B=error undo A=complete', 'the compensations run after the namespace is resumed');

select tasker_test.create_undoable('late', '{A!,"B A"}');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'late', '{}', p_deadline => now() + interval '1 hour') as c), true);
update tasker.tasks as t set deadline = '2026-11-22 13:00:00+00' where t.task_uuid = tasker_test.the_task();
update tasker.timers as t set due_at = '2026-11-22 13:00:00+00' where t.task_uuid = tasker_test.the_task();
select tasker_test.run('A');
select tasker_test.pass('61 minutes');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=cancelled undo A=enqueued', 'a deadline starts the compensations');
select is(pg_temp.done(), 'error: A=complete B=cancelled undo A=complete Timeout by - for its deadline has passed', 'the task fails after the compensations of its deadline');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('stale');
select tasker_test.pass('2 days');
select is((select count(*)::integer from tasker.detect_and_transition_stale_tasks(false) as s where s.task_uuid = tasker_test.the_task()), 1, 'detect_and_transition_stale_tasks finds the stale task');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=cancelled undo A=enqueued', 'staleness starts the compensations');
select tasker_test.pass('2 days');
select is((select count(*)::integer from tasker.detect_and_transition_stale_tasks(false) as s where s.task_uuid = tasker_test.the_task()), 0, 'a task that is being undone is not found stale a second time');
select matches(pg_temp.done(), '^error: A=complete B=cancelled undo A=complete Timeout by', 'the task fails after the compensations of staleness');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('direct');
select ok(tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'cancelled'), 'transition_task_state_atomic accepts a cancellation');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=cancelled undo A=enqueued', 'a direct call starts the compensations');
select throws_like(
  $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'error') $$, 'task % cannot go from steps_in_process to error: it is being undone, and ends after that', 'another direct call is refused while the task is being undone'
);
select throws_like(
  $$ select from tasker.add_steps(tasker_test.the_task(), '[{"name": "more"}]') $$, 'task % is being undone', 'add_steps is refused while the task is being undone'
);
select throws_like($$ select tasker.fork_task(tasker_test.the_task(), 'A') $$, 'task % is being undone', 'fork_task is refused while the task is being undone');
select matches(pg_temp.done(), '^cancelled: A=complete B=cancelled undo A=complete Cancel', 'the task is cancelled after the compensations of the direct call');

-- Nothing to undo: as without compensations.
select tasker_test.create_undoable('early', '{A!,"B A"}');
select tasker.cancel_task(tasker_test.the_task());
select is(tasker_test.states(), 'cancelled: A=cancelled B=cancelled', 'a task that has done nothing is cancelled at once');
select tasker_test.create_undoable('other', '{A,"B! A"}', '{"on_failure": "fail"}');
select tasker_test.claim('A');
select tasker_test.fail_for_good('A');
select is(tasker_test.undo(), 'error: A=error B=pending', 'a task in which no step with a compensation has run fails at once');
select tasker.reset_task(tasker_test.the_task());
select tasker_test.orchestrate();
select is(tasker_test.states(), 'steps_in_process: A=enqueued B=pending', 'such a task can be reset');
select tasker_test.run('A', 'B');
select is(tasker_test.states(), 'complete: A=complete B=complete', 'a task that is complete is not undone');

-- What was taken over is undone by the task that took it over.
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'A')::text, true);
select tasker_test.run('A', 'B');
select pg_temp.make('forked');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'B', p_cancel => true)::text, true);
select tasker.cancel_task(tasker_test.the_task());
select is(tasker_test.undo(), 'steps_in_process: A=complete B=cancelled undo A=enqueued', 'a fork undoes the steps that it has taken over');
select tasker_test.run('undo A');
select tasker_test.undo();
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'B')::text, true);
select is(tasker_test.states(), 'steps_in_process: A=enqueued B=pending', 'a fork of an undone task runs its steps again');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
