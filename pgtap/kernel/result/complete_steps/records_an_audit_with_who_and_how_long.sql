begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select c.task_uuid as task from tasker.create_task('test', 'pair', '{}', p_correlation_id => '00000000-0000-4000-8000-0000000000c1') as c \gset
select set_config('tasker_test.task', :'task', true);
select from tasker_test.claim(10, 5);
select from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}', null, '{1234}');
select from tasker.fail_steps(array[tasker_test.the_step('b')], '{1}', '{no}', null, null, '{5}');
select results_eq(
  $$ select a.step_no, a.success, a.execution_time_ms, a.worker_uuid, a.correlation_id, a.recorded_at = tasker.clock()
       from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task() order by 1 $$,
  $$ values (1, true, 1234::bigint, tasker_test.worker(5), '00000000-0000-4000-8000-0000000000c1'::uuid, true),
            (2, false, 5, tasker_test.worker(5), '00000000-0000-4000-8000-0000000000c1', true) $$,
  'each result has one audit row with its worker and its duration'
);
select from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}', null, '{1234}');
select is((select count(*) from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task()), 2::bigint, 'a repeat has no audit row');

select * from finish();
rollback;
