begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "bad", "retry": {"max_attempts": 1}}, {"name": "pay", "await": {"event": "paid"}}, {"name": "ship", "dependencies": ["pay"]}
]', '{"on_failure": "halt"}');
select tasker_test.fire_notes();
select tasker_test.claim('bad');
select tasker_test.fail_for_good('bad');
select tasker_test.emit('paid');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'blocked_by_failures: bad=error pay=complete ship=pending', 'the wait ends, and no child starts');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_waiting('late', '[{"name": "pay", "await": {"event": "paid2", "look_back": "1d"}, "timeout": "1h"}, {"name": "ship", "dependencies": ["pay"]}]');
select tasker_test.fire_notes();
select tasker_test.pass('61 minutes');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'blocked_by_failures: pay=error ship=pending', 'the time-out fails the step');
select tasker_test.emit('paid2');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'blocked_by_failures: pay=error ship=pending', 'a later event does not change a failed step');
select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task accepts the task');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'steps_in_process: pay=complete ship=enqueued', 'the step takes the event that came in the meantime');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
