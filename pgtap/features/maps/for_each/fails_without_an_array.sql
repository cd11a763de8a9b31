begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.error_over(p_for_each jsonb, p_context jsonb) returns text language plpgsql as $$
begin
  perform tasker_test.create_waiting(
    'over' || md5(p_for_each::text || p_context), jsonb_build_array(jsonb_build_object('name', 'each', 'for_each', p_for_each)), p_context => p_context
  );
  perform tasker_test.expand();
  return (select s.state || ': ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'each');
end;
$$;

select is(pg_temp.error_over('"$.lines"', '{"lines": {}}'), 'error: for_each: $."lines" is a JSON object, not an array', 'an object is refused');
select is(pg_temp.error_over('"$.lines"', '{}'), 'error: for_each: $."lines" leads to 0 values, not to one array', 'a missing value is refused');
select is(pg_temp.error_over('"$.lines[*]"', '{"lines": [1, 2]}'), 'error: for_each: $."lines"[*] leads to 2 values, not to one array', 'several values are refused');
select is(
  pg_temp.error_over('"$.lines"', jsonb_build_object('lines', (select jsonb_agg(1) from generate_series(1, 65535)))),
  'error: for_each: 65535 elements and the 1 steps of the task are more than the 65535 steps that a task may have',
  'too many are refused, with both numbers'
);
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 'blocked_by_failures', 'the task waits for an operator');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.retry_step(tasker_test.the_step('each'));
select tasker_test.expand();
select is(tasker_test.states(), 'blocked_by_failures: each=error', 'another attempt fails in the same way');
select tasker.resolve_step_manually(tasker_test.the_step('each'));
select is(tasker_test.states(), 'complete: each=resolved_manually', 'an operator may resolve the map');

select * from finish();
rollback;
