begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep');
select tasker_test.the_task() as other \gset
delete from tasker.timers as m where m.task_uuid = :'other';
select tasker_test.begin_function(p_name => 'second');
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'the step sleeps for an hour');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task()), '2026-11-22 13:00:00+00'::timestamptz, 'a timer is due after an hour');
select tasker_test.pass('59 minutes');
select tasker.fire_due_timers();
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the step stays suspended before that time');
select tasker.transition_step_state_atomic(tasker_test.the_step('work'), 'suspended', 'enqueued');
select is(tasker_test.run_function(), 'nothing', 'an operator lets the step run before its time');
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'the step waits again');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task()), '2026-11-22 13:00:00+00'::timestamptz, 'the time still counts from the first wait');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select is(tasker_test.run_function(), '$sleep {"by": "for"}', 'the wait ends in time');
select is(
  (select s.state::text from tasker.workflow_steps as s where s.task_uuid = :'other' and s.name = 'work'), 'suspended',
  'a function of another task, which has no timer, goes on waiting'
);
select is(tasker_test.suspend(2, '{"await": {"until": "2026-11-22T13:00:00Z"}}', '$until'), 'ended {"by": "until"}', 'a wait until a time that has passed ends at once');
select is(tasker_test.suspend(3, '{"await": {"signal": "paid"}, "timeout": 60}', '$await.paid'), 'suspended', 'a wait for a signal has a time-out');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select is(tasker_test.run_function(), '$sleep {"by": "for"}, $until {"by": "until"}, $await.paid {"by": "timeout"}', 'the result of the wait says that it timed out');
select is(tasker_test.suspend(4, '{"await": {"for": 60}}', '$again'), 'suspended', 'the step waits once more');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(
  (select count(*) from (select tasker.cancel_task(tasker_test.the_task())) as c), 1::bigint, 'cancel_task accepts the task'
);

select * from finish();
rollback;
