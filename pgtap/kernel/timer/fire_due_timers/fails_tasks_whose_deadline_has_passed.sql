begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.run('top');
select tasker_test.claim('left');

select tasker_test.pass('59 minutes');
select is(tasker.fire_due_timers(), 0, 'a task is left alone before its deadline');
select tasker_test.pass('1 minute');
select is(tasker.fire_due_timers(), 1, 'the deadline fires in time');
select is(tasker_test.states(), 'error: top=complete left=error right=error bottom=pending', 'the task has failed');
select is(tasker_test.last_entry(), 'Timeout by - for its deadline has passed', 'the log says why, and names no actor');
select is(tasker_test.last_entry('left'), 'Fail by - for -', 'the steps'' logs do not repeat the reason');
select is(
  (select s.last_error from tasker.workflow_steps as s where s.name = 'left' and s.task_uuid = tasker_test.the_task()),
  'its deadline has passed', 'each step has the reason as its error'
);
select is(tasker_test.finish('left'), 'stale', 'a late result is stale');
select is(tasker.fire_due_timers(), 0, 'a repeated call fires nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour', p_start_at => tasker.clock() + interval '59 minutes');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select results_eq(
  $$ select t.state::text, t.started_at from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  $$ values ('error', null::timestamptz) $$, 'a task that fails before it has started never started'
);

select * from finish();
rollback;
