begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
prepare due as select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task();
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'the first round waits for an hour');
select tasker_test.pass('59 minutes');
select tasker.transition_step_state_atomic(tasker_test.the_step('work'), 'suspended', 'enqueued');
select is(tasker_test.run_function(), 'nothing', 'an operator lets it run before its time');
select results_eq(
  $$ select a.answer::text, a.round from tasker.continue_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), '{}', 0) as a $$,
  $$ values ('continued', 1) $$, 'the round ends without the wait'
);
select is(tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep'), 'suspended', 'the next round makes the same call');
select results_eq('due', $$ values ('2026-11-22 13:59:00+00'::timestamptz) $$, 'and waits for an hour of its own');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
