begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('50 seconds');
select results_eq(
  $$ select l.step_uuid, l.claim_no, l.answer::text, l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}') as l $$,
  $$ values (tasker_test.the_step('top'), 1, 'extended', interval '60 seconds') $$, 'the lease is renewed for the time of the setting'
);
select is((select s.lease_until - tasker.clock() from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), interval '60 seconds', 'the step''s row has the new end');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('59 seconds');
select is_empty('select from tasker_test.claim(1, 2)', 'another worker does not get the step');
select results_eq(
  $$ select l.answer::text, l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}', 600) as l $$,
  $$ values ('extended', interval '10 minutes') $$, 'the lease is renewed for the given time'
);
select results_eq(
  $$ select l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}', 1) as l $$,
  $$ values (interval '1 second') $$, 'a lease can be shortened'
);
select is((select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task()), 2::bigint, 'no log row is written');
select is(tasker_test.complete('top'), 'completed', 'the claim number is unchanged');

select * from finish();
rollback;
