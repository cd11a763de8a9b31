begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker.pause_namespace('test');

select ok(tasker.resume_namespace('test'), 'resume_namespace returns true');
select is(
  (select c.step_uuid from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c),
  tasker_test.the_step('top'), 'a claim gets the step that waited'
);
select results_eq(
  $$ select n.paused_at, n.paused_by from tasker.list_namespaces() as n where n.name = 'test' $$,
  'values (null::timestamptz, null::text)', 'list_namespaces shows no pause'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
