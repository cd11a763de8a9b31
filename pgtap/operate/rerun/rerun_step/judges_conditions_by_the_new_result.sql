begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_waiting('either', '[
  {"name": "check"},
  {"name": "ship", "dependencies": [{"step": "check", "when": "$.ok == true"}]},
  {"name": "refund", "dependencies": [{"step": "check", "when": "$.ok == false"}]},
  {"name": "mail", "dependencies": ["ship", "refund"], "join": "settled"}
]');
select tasker_test.claim('check');
select tasker_test.finish('check', '{"ok": true}');
select tasker_test.run('ship', 'mail');
select is(tasker_test.states(), 'complete: check=complete ship=complete refund=cancelled mail=complete', 'one branch was skipped');
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('refund'), 'wanted') $$, 'TK409',
  format('step %s was skipped or cancelled, and has no result to correct', tasker_test.the_step('refund')),
  'a skipped step does not run again by itself'
);
select ok(tasker.rerun_step(tasker_test.the_step('check'), 'wrong', 'ann', '{"ok": false}'), 'rerun_step accepts a result');
select is(
  tasker_test.states(), 'steps_in_process: check=complete ship=cancelled refund=enqueued mail=pending',
  'the other branch runs, and the first is skipped'
);
select tasker_test.run('refund', 'mail');
select is(tasker_test.states(), 'complete: check=complete ship=cancelled refund=complete mail=complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
