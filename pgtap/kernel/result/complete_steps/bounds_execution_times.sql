begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select results_eq(
  $$ select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')], p_execution_times_ms => '{9223372036854775807}') as a $$,
  $$ values ('completed') $$, 'one result is taken'
);
select from tasker_test.claim();
select results_eq(
  $$ select a.answer::text from tasker.complete_steps(
       array[tasker_test.the_step('left'), tasker_test.the_step('right')],
       array[tasker_test.claim_no('left'), tasker_test.claim_no('right')], p_execution_times_ms => '{9223372036854775807,999999999}'
     ) as a $$,
  $$ values ('completed'), ('completed') $$, 'several results are taken'
);
select results_eq(
  'select distinct a.execution_time_ms from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task()',
  $$ values (999999999::bigint) $$, 'their times have nine digits'
);
select lives_ok('select tasker.rebuild_analytics()', 'their sums are within their type');

select * from finish();
rollback;
