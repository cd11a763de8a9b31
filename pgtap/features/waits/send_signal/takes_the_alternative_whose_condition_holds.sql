begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('paid', '[{"name": "pay", "await": [
  {"signal": "paid", "when": "$.amount >= 100"}, {"signal": "waived", "schema": {"type": "object"}}
]}]');

select is(tasker_test.signal('paid', '{"amount": 99}'), 'kept', 'a payload that meets no condition is kept');
select is(tasker_test.signal('paid', '"much"'), 'kept', 'a payload that does not fit the condition is kept, too');
select is(tasker_test.signal('paid', '{"amount": 100}'), 'delivered pay', 'a payload that meets the condition is delivered');
select results_eq(
  $$ select g.signal_no, g.consumed from tasker.list_signals(tasker_test.the_task()) as g $$,
  $$ values (1, false), (2, false), (3, true) $$, 'list_signals shows signals that no step took after the end of the task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
