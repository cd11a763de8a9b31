begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create role tap_finance;
create role tap_ann in role tap_finance, tasker_submitter;
create role tap_bob in role tasker_submitter;
grant usage on schema tasker_test to public;
grant execute on all functions in schema tasker_test to public;
select tasker_test.create_waiting('order', '[
  {"name": "check"},
  {"name": "approve", "dependencies": ["check"], "await": {"signal": "approved"}, "assignee": "tap_finance"},
  {"name": "tell", "dependencies": ["approve"], "await": {"signal": "told"}, "assignee": "the customer"}
]');
select format('select answer from tasker.send_signal(%L, %L)', tasker_test.the_task(), 'approved') as send \gset
select format('select answer from tasker.send_signal(%L, %L)', tasker_test.the_task(), 'told') as tell \gset

select throws_ok(
  format('select tasker_test.call_as(%L, %L)', 'tap_bob', :'send'), 'TK403', 'signal "approved" is for tap_finance to send',
  'a role that is not the assignee is refused, also before the step waits'
);
select is(tasker_test.call_as('tap_ann', :'send'), 'kept', 'a member of the assignee may send the signal');
select tasker_test.run('check');
select is(tasker_test.states(), 'waiting_for_dependencies: check=complete approve=complete tell=suspended', 'the step takes the signal that a member sent');
select is(
  (select l.actor from tasker.workflow_step_transition_log as l where l.step_no = 2 and l.event = 'Complete' and l.task_uuid = tasker_test.the_task()),
  'tap_ann', 'the log names the role that answered'
);
select is(tasker_test.call_as('tap_bob', :'tell'), 'delivered', 'an assignee that is not a role is not enforced');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A signal that was kept while there was no such role is judged when the step begins to wait.
select tasker_test.create_waiting('late', '[
  {"name": "check"}, {"name": "approve", "dependencies": ["check"], "await": {"signal": "approved"}, "assignee": "tap_board"}
]');
select format('select answer from tasker.send_signal(%L, %L)', tasker_test.the_task(), 'approved') as send \gset
select is(tasker_test.call_as('tap_bob', :'send'), 'kept', 'a signal is kept that any role sent while the assignee was not a role');
create role tap_board;
select tasker_test.run('check');
select is(tasker_test.states(), 'waiting_for_dependencies: check=complete approve=suspended', 'the signal is not taken after the assignee has become a role');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
