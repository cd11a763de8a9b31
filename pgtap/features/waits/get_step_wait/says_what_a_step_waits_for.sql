begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
prepare wait (text) as
  select w.step_name, w.waiting_since, w.due_at, w.on_timeout, w.assignee, w.signals, w.await
    from tasker.get_step_wait(tasker_test.the_step($1)) as w;

select tasker_test.create_waiting('order', '[
  {"name": "approve", "description": "Look at the order.", "await": [{"signal": "rejected"}, {"signal": "approved"}], "timeout": "3d", "assignee": "finance"}, {"name": "ship", "dependencies": ["approve"]}
]');
select tasker_test.pass('1 hour');
select results_eq(
  'execute wait (''approve'')',
  $$ values ('approve', timestamptz '2026-11-22 12:00:00+00', timestamptz '2026-11-25 12:00:00+00', 'fail', 'finance',
     array['approved', 'rejected'], '[{"signal": "rejected"}, {"signal": "approved"}]'::jsonb) $$,
  'it returns the signals of a template''s await, and the time-out'
);
select results_eq(
  $$ select w from tasker.get_step_wait(tasker_test.the_step('approve')) as w $$, 'select l from tasker.list_waits() as l',
  'it returns the same row as list_waits'
);
select is_empty('execute wait (''ship'')', 'it returns nothing for a step that does not wait');

select tasker_test.begin_function();
select is_empty('execute wait (''work'')', 'it returns nothing for a function that runs');
select tasker_test.suspend(1, '{"await": {"for": "1h"}}', '$sleep');
select results_eq(
  'execute wait (''work'')',
  $$ values ('work', timestamptz '2026-11-22 13:00:00+00', timestamptz '2026-11-22 14:00:00+00', 'complete', null::text, '{}'::text[], '[{"for": 3600}]'::jsonb) $$,
  'it returns a function that sleeps, which no inbox shows'
);
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.run_function();
select tasker_test.suspend(2, '{"await": {"signal": "paid", "when": "$.ok == true"}, "timeout": 60, "assignee": "eve"}', '$await.paid');
select results_eq(
  'execute wait (''work'')',
  $$ values ('work', timestamptz '2026-11-22 14:00:00+00', timestamptz '2026-11-22 14:01:00+00', 'complete', 'eve', array['paid'], '[{"signal": "paid", "when": "($.\"ok\" == true)"}]'::jsonb) $$,
  'it returns the signal and the condition that a function waits for'
);
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select tasker_test.run_function();
select tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'fraud');
select is((select w.signals from tasker.get_step_wait(tasker_test.the_step('work')) as w), array['$diverged'], 'it returns $diverged for a function whose code has changed');

select throws_ok($$ select tasker.get_step_wait('01980000-0000-7000-8000-000000000001') $$, 'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused');
select throws_ok($$ select tasker.get_step_wait(null) $$, 'TK404', 'step null does not exist', 'a null step is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
