begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');

select ok(tasker.pause_namespace('test', 'ann'), 'the call did it');
select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'nothing of it is claimed'
);
select is_empty(
  $$ select from tasker.claim_steps(null, '00000000-0000-0000-0000-0000000000c1', 10) $$, 'nor among all namespaces'
);
select is_empty(
  $$ select from tasker.claim_step(tasker_test.the_step('right'), '00000000-0000-0000-0000-0000000000c1') $$, 'nor by name'
);
select is(tasker_test.finish('left'), 'completed', 'a running step finishes');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=complete right=enqueued bottom=pending', 'what is ready waits in the queue'
);
select results_eq(
  $$ select n.paused_at, n.paused_by from tasker.list_namespaces() as n where n.name = 'test' $$,
  $$ select tasker.clock(), 'ann' $$, 'the list shows since when and by whom'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
