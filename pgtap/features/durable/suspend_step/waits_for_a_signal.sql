begin;
select plan(17);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '1');
select is(
  tasker_test.suspend(2, '{"await": [{"signal": "approved", "when": "$.ok == true"}, {"signal": "waived"}], "timeout": "3d", "assignee": "finance"}', '$await.approved'),
  'suspended', 'the step is suspended'
);
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the step has no worker');
select is_empty($$ select from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() $$, 'the step has no queue row');
select results_eq(
  $$ select w.step_name, w.signals, w.due_at, w.on_timeout, w.assignee from tasker.list_waits('test') as w where w.task_uuid = tasker_test.the_task() $$,
  $$ values ('work', '{approved,waived}'::text[], '2026-11-25 12:00:00+00'::timestamptz, 'complete', 'finance') $$, 'list_waits shows the step'
);
select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step('work')) as e),
  format('It waits for signal "approved" or "waived" from finance: select * from tasker.send_signal(%L, ''approved'', payload). At 2026-11-25 12:00:00Z it goes on without one. Its function has kept one result, as "charge".', tasker_test.the_task()),
  'explain_step says what the step waits for'
);
select is(
  (select h.description from tasker.get_step_history(tasker_test.the_step('work')) as h where h.event = 'Suspend'),
  'step "work" began to wait: signal "approved" or signal "waived", at most 3d', 'the history says what the step waits for'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');
select is(tasker_test.signal('approved', '{"ok": false}'), 'kept', 'a payload that does not meet the condition is kept');
select is(tasker_test.signal('approved', '{"ok": true}'), 'delivered work', 'a payload that meets the condition is delivered');
select is(tasker_test.states(), 'steps_in_process: work=enqueued after=pending', 'the step is enqueued');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(
  tasker_test.run_function(), 'charge 1, $await.approved {"by": "signal", "name": "approved", "payload": {"ok": true}, "sent_at": "2026-11-22T12:00:00.000000Z"}',
  'the next run finds the answer'
);
select is(tasker_test.suspend(3, '{"await": {"signal": "approved"}}', '$await.approved.2'), 'ended {"by": "signal", "name": "approved", "payload": {"ok": false}, "sent_at": "2026-11-22T12:00:00.000000Z"}', 'a wait takes a kept signal at once');
select results_eq('select g.consumed from tasker.list_signals(tasker_test.the_task()) as g', 'values (true), (true)', 'both signals are consumed');
select tasker_test.finish('work');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
