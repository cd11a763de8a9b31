begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');

select ok(tasker.pause_namespace('test', 'ann'), 'pause_namespace returns true');
select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'a claim gets nothing of the namespace'
);
select is_empty(
  $$ select from tasker.claim_steps(null, '00000000-0000-0000-0000-0000000000c1', 10) $$, 'a claim of all namespaces gets nothing of it'
);
select is_empty(
  $$ select from tasker.claim_step(tasker_test.the_step('right'), '00000000-0000-0000-0000-0000000000c1') $$, 'a claim by name gets nothing of it'
);
select is(tasker_test.finish('left'), 'completed', 'the result of a running step is accepted');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=complete right=enqueued bottom=pending', 'ready steps stay in the queue'
);
select results_eq(
  $$ select n.paused_at, n.paused_by from tasker.list_namespaces() as n where n.name = 'test' $$,
  $$ select tasker.clock(), 'ann' $$, 'list_namespaces shows the time and the actor of the pause'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
