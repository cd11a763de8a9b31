begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('50 seconds');
select results_eq(
  $$ select l.step_uuid, l.claim_no, l.answer, l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}') as l $$,
  $$ values (tasker_test.the_step('top'), 1, 'extended', interval '60 seconds') $$, 'as long as the setting says'
);
select is((select s.lease_until - tasker.clock() from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), interval '60 seconds', 'the step knows');
select is_empty('select tasker_test.violations()', 'and so does the queue');
select tasker_test.pass('59 seconds');
select is_empty('select from tasker_test.claim(1, 2)', 'nobody else gets it');
select results_eq(
  $$ select l.answer, l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}', 600) as l $$,
  $$ values ('extended', interval '10 minutes') $$, 'or as long as it asks'
);
select results_eq(
  $$ select l.lease_until - tasker.clock() from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}', 1) as l $$,
  $$ values (interval '1 second') $$, 'less, too'
);
select is((select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task()), 2::bigint, 'no log is written');
select is(tasker_test.complete('top'), 'completed', 'the claim number is still the same');

select * from finish();
rollback;
