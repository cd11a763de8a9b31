begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');
select tasker_test.fail_for_good('left', false);
select tasker_test.freeze(m.due_at - interval '1 millisecond') from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'retry_step';
select is(tasker.fire_due_timers(), 0, 'a retry is not fired a millisecond before it is due');
select tasker_test.pass('1 millisecond');
select is(tasker.fire_due_timers(), 1, 'it is fired when it is due');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left', false);
select tasker_test.pass('1 second');
select tasker_test.fail_for_good('right', false);
select tasker_test.freeze(min(m.due_at)) from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'retry_step';
select tasker.fire_due_timers();
select results_eq(
  $$ select s.state::text from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name in ('left', 'right') order by s.state $$,
  array['enqueued', 'waiting_for_retry'], 'a retry that is due leaves the other retries of its task waiting'
);
select is_empty('select tasker_test.violations()', 'every invariant holds with one of two retries fired');

select * from finish();
rollback;
