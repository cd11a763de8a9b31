-- Case A2.6: 200 calls each fail once in a step of three attempts; the next one fails in all of its three.
begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.begin_function('{"retry": {"max_attempts": 3}}');
do $$
begin
  for v_call in 1 .. 200 loop
    perform tasker_test.fail('work');
    perform tasker_test.pass('1 hour');
    perform tasker_test.run_function();
    perform tasker_test.keep(v_call, 'call' || v_call);
  end loop;
end;
$$;
select is(tasker_test.states(), 'steps_in_process: work=in_progress after=pending', 'the function runs after 200 failures');
select is((select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 1, 'the function is in its first attempt at the next call');
savepoint kept;
select tasker_test.complete('work');
select is((select s.state from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 'complete', 'the function completes');
rollback to kept;
do $$
begin
  for v_attempt in 1 .. 3 loop
    perform tasker_test.fail('work');
    perform tasker_test.pass('1 hour');
    if v_attempt < 3 then
      perform tasker_test.run_function();
    end if;
  end loop;
end;
$$;
select is(tasker_test.states(), 'blocked_by_failures: work=error after=pending', 'a call that fails three times in a row fails the step');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
