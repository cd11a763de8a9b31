begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.create_undoable('paid', '{pick,"charge! pick","ship charge"}');
select tasker_test.claim('pick');
select tasker_test.finish('pick', '{"sku": 1}');
select tasker_test.claim('charge');
select tasker_test.finish('charge', '{"paid": 10}');
select tasker_test.run('ship');
select is(tasker_test.states(), 'complete: pick=complete charge=complete ship=complete', 'the task is complete');

select throws_ok(
  $$ select tasker.complete_step_manually(tasker_test.the_step('charge'), '{"paid": 9}', 'the bank says so') $$,
  'TK409', format('step %s is complete with another result', tasker_test.the_step('charge')),
  'complete_step_manually refuses another result'
);
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'charge', '{"paid": 9}', 'the bank says so') $$,
  'TK409', format('step %s is complete with another result', tasker_test.the_step('charge')),
  'so does complete_step_by_name'
);
select ok(
  not tasker.complete_step_manually(tasker_test.the_step('charge'), '{"paid": 10}'), 'the same result is a repeat'
);
select ok(
  tasker.rerun_step(tasker_test.the_step('charge'), 'the bank says so', 'ann', '{"paid": 9}'), 'rerun_step accepts a result'
);
select is(
  tasker_test.states(), 'steps_in_process: pick=complete charge=complete ship=enqueued', 'only what depends on it runs again'
);
select is(
  (select c.parent_results from tasker.claim_step(tasker_test.the_step('ship'), tasker_test.worker(), 60) as c),
  '{"charge": {"paid": 9}}', 'it gets the new result'
);
select ok(
  not tasker.rerun_step(tasker_test.the_step('charge'), 'the bank says so', 'ann', '{"paid": 9}'), 'a repeat returns false'
);
select results_eq(
  $$
  select a.event, a.results, a.actor, a.reason, a.replaced_by, a.replaced_reason
    from tasker.get_step_audit_history(tasker_test.the_step('charge')) as a
  $$,
  $$
  values
    ('CompleteManually', '{"paid": 9}'::jsonb, 'ann', 'the bank says so', null, null),
    ('EnqueueForOrchestration', '{"paid": 10}', null, null, 'ann', 'the bank says so')
  $$,
  'the audit has both results, and who replaced the first one and why'
);
select tasker_test.finish('ship');
select is(tasker_test.states(), 'complete: pick=complete charge=complete ship=complete', 'the task completes again');

select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('charge'), repeat('x', 901), null, '{}') $$,
  'TK413', 'the reason is longer than 900 characters', 'a reason that is too large is refused'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
