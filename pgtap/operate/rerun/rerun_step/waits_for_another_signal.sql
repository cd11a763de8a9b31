begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.create_waiting('approval', '[
  {"name": "quote"},
  {"name": "approve", "dependencies": ["quote"], "await": {"signal": "approved"}},
  {"name": "paid", "dependencies": ["approve"], "await": {"event": "paid", "key": "$.order"}},
  {"name": "order", "dependencies": ["paid"]}
]', '{}', '{"order": "o-1"}');
select tasker_test.claim('quote');
select tasker_test.finish('quote', '{"n": 1}');
select is(tasker_test.signal('approved', '{"by": "ann"}'), 'delivered approve', 'a signal ends the wait');
select tasker_test.emit('paid', '{"n": 1}', 'o-1');
select tasker_test.fire_notes();
select tasker_test.run('order');
select is(tasker_test.states(), 'complete: quote=complete approve=complete paid=complete order=complete', 'the task is complete');

select ok(tasker.rerun_step(tasker_test.the_step('quote'), 'wrong', 'ann', '{"n": 2}'), 'rerun_step returns true');
select is(
  tasker_test.states(), 'waiting_for_dependencies: quote=complete approve=suspended paid=pending order=pending',
  'the wait begins again: the signal that it took stays taken'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(tasker_test.signal('approved', '{"by": "bob"}'), 'delivered approve', 'another signal ends it');
select tasker_test.fire_notes();
select is(
  tasker_test.states(), 'waiting_for_dependencies: quote=complete approve=complete paid=suspended order=pending',
  'the event that a step took stays taken, too'
);
select tasker_test.emit('paid', '{"n": 2}', 'o-1');
select tasker_test.fire_notes();
select is(
  tasker_test.states(), 'steps_in_process: quote=complete approve=complete paid=complete order=enqueued', 'another event ends the wait'
);
-- Below a step that runs again, a wait that has begun begins again.
select ok(tasker.rerun_step(tasker_test.the_step('approve'), 'the wrong person'), 'the wait itself runs again');
select is(
  tasker_test.states(), 'waiting_for_dependencies: quote=complete approve=suspended paid=pending order=pending', 'it waits for another signal'
);
select ok(tasker.complete_step_manually(tasker_test.the_step('approve'), '{"by": "cat"}'), 'or is completed by hand');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
