begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'for an hour');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task()), '2026-11-22 13:00:00+00'::timestamptz, 'a timer stands');
select tasker_test.pass('59 minutes');
select tasker.fire_due_timers();
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'not sooner');
select tasker.transition_step_state_atomic(tasker_test.the_step('work'), 'suspended', 'enqueued');
select is(tasker_test.run_function(), 'nothing', 'an operator lets it run before its time');
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'it asks again');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task()), '2026-11-22 13:00:00+00'::timestamptz, 'its time counts from when it first asked');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select is(tasker_test.run_function(), '$sleep {"by": "for"}', 'and comes');
select is(tasker_test.suspend(2, '{"await": {"until": "2026-11-22T13:00:00Z"}}', '$until'), 'ended {"by": "until"}', 'a time that is over ends at once');
select is(tasker_test.suspend(3, '{"await": {"signal": "paid"}, "timeout": 60}', '$await.paid'), 'suspended', 'a signal with a time-out');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select is(tasker_test.run_function(), '$sleep {"by": "for"}, $until {"by": "until"}, $await.paid {"by": "timeout"}', 'says that it timed out');
select is(tasker_test.suspend(4, '{"await": {"for": 60}}', '$again'), 'suspended', 'once more');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(
  (select count(*) from (select tasker.cancel_task(tasker_test.the_task())) as c), 1::bigint, 'a cancelled task'
);

select * from finish();
rollback;
