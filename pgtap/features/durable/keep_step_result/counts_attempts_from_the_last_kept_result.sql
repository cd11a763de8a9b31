-- Case A2.6, in small: each call fails twice, and the step may fail three times.
begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.begin_function('{"retry": {"max_attempts": 3}}');
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker_test.run_function();
select is((select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 2, 'the step is in its second attempt');
select tasker_test.keep(1, 'a');
select is((select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 1, 'a kept result starts the count of attempts again');
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker_test.run_function();
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker_test.run_function();
select tasker_test.keep(2, 'b');
select tasker_test.fail('work');
select is(tasker_test.states(), 'waiting_for_retry: work=waiting_for_retry after=pending', 'the step is retried after five failures');
select tasker_test.pass('1 hour');
select tasker_test.run_function();
select is(tasker_test.suspend(3, '{"await": {"for": 60}}'), 'suspended', 'the step sleeps in its second attempt');
select tasker_test.pass('1 minute');
select is(tasker_test.run_function(), 'a {}, b {}, $wait {"by": "for"}', 'the step continues after its sleep');
select is((select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 1, 'a sleep starts the count of attempts again');
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker_test.run_function();
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select is(tasker_test.run_function(), 'a {}, b {}, $wait {"by": "for"}', 'the step makes the third attempt at the same call');
select tasker_test.fail('work');
select is(tasker_test.states(), 'blocked_by_failures: work=error after=pending', 'the third failure of the same call fails the step for good');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
