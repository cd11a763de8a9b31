begin;
select plan(5);

select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'));

select results_eq(
  format('select r.name, r.total_parents, r.completed_parents, r.ready_for_execution
            from tasker.get_step_readiness_status(tasker_test.the_task(), array[%L::uuid]) as r', tasker_test.the_step('left')),
  $$ values ('left', 1, 1, true) $$,
  'parents count although the filter leaves them out'
);
select results_eq(
  format('select r.* from tasker.get_step_readiness_status(tasker_test.the_task(), array[%L, %L]::uuid[]) as r',
         tasker_test.the_step('bottom'), tasker_test.the_step('right')),
  $$ select r.* from tasker.get_step_readiness_status(tasker_test.the_task()) as r where r.name in ('right', 'bottom') $$,
  'filtered rows equal unfiltered ones'
);
select is_empty($$ select from tasker.get_step_readiness_status(tasker_test.the_task(), '{}') $$, 'an empty filter returns no row');
select results_eq(
  format('select r.name from tasker.get_step_readiness_status(tasker_test.the_task(), array[%1$L, null, %1$L, %2$L]::uuid[]) as r',
         tasker_test.the_step('left'), gen_random_uuid()),
  $$ values ('left') $$,
  'nulls and unknown steps in the filter are ignored'
);
create temporary table first_task as select tasker_test.the_task() as task_uuid;
select tasker_test.make_task();
select is_empty(
  format('select from tasker.get_step_readiness_status((select f.task_uuid from first_task as f), array[%L::uuid])', tasker_test.the_step('top')),
  'a step of another task is not returned'
);

select * from finish();
rollback;
