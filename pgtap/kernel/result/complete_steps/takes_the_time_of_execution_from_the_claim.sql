-- What no worker says is the time since the claim.
begin;
select plan(6);

select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "test", "name": "six", "identity_strategy": "always_unique", "steps": [
  {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "e"}, {"name": "f"}]}');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'six', '{}') as c), true);
select from tasker.claim_steps('{test}', tasker_test.worker(1), 10);
select tasker_test.pass('1.5 seconds');
create function pg_temp.step(p_name text) returns uuid language sql as 'select tasker_test.the_step(p_name)';
create function pg_temp.ran(p_name text) returns bigint language sql as $$
  select l.execution_time_ms from tasker.workflow_step_transition_log as l
    join tasker.workflow_steps as s using (task_uuid, step_no)
   where s.workflow_step_uuid = tasker_test.the_step(p_name) and l.from_state = 'in_progress';
$$;
select from tasker.complete_steps(array[pg_temp.step('a')], array[1]);
select is(pg_temp.ran('a'), 1500::bigint, 'one that completes');
select from tasker.complete_steps(array[pg_temp.step('b'), pg_temp.step('c')], array[1, 1], p_execution_times_ms => array[null, 7]);
select is(pg_temp.ran('b'), 1500::bigint, 'one of two that complete');
select is(pg_temp.ran('c'), 7::bigint, 'a time that is passed stands');
select from tasker.fail_steps(array[pg_temp.step('d')], array[1], array['no']);
select is(pg_temp.ran('d'), 1500::bigint, 'one that fails');
select from tasker.exchange_steps(tasker_test.worker(1), p_step_uuids => array[pg_temp.step('e'), pg_temp.step('f')], p_claim_nos => array[1, 1],
  p_results => array[null, null]::jsonb[], p_errors => array[null, 'no'], p_execution_times_ms => array[0, 0]);
select is(pg_temp.ran('e'), 1500::bigint, 'one that completes beside one that fails');
select is(pg_temp.ran('f'), 1500::bigint, 'one that fails beside one that completes');

select * from finish();
rollback;
