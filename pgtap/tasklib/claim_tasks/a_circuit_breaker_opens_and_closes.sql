begin;
select plan(8);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"breaker_failures": 2, "breaker_seconds": 30, "base_retry_delay_seconds": 0}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5]));

create temporary table c as select * from tasker_test.claim_echo(3);
select tasker_test.fail_echo(c.id) from c limit 1;
select is((select opened_until is null from tasklib.task_limits), true, 'one failure does not open the breaker');
select tasker_test.fail_echo(c.id) from c offset 1 limit 1;
select is((select opened_until from tasklib.task_limits), '2026-03-01 12:00:30+00'::timestamptz, 'two failures in a row open it');
select tasker_test.complete_echo(c.id) from c offset 2 limit 1;
select is_empty('select * from tasker_test.claim_echo(5)', 'no task is claimed while the breaker is open, although an older run succeeds');
select tasker_test.pass('30 seconds');
select is((select count(*) from tasker_test.claim_echo(5)), 1::bigint, 'one task is claimed after the pause');
select is_empty('select * from tasker_test.claim_echo(5)', 'no second task is claimed while the first one runs');
select tasker_test.fail_echo(t.id, t.claim_no) from tasklib.tasks as t where t.state = 'running';
select is((select opened_until from tasklib.task_limits), '2026-03-01 12:01:00+00'::timestamptz, 'a failure opens the breaker again');
select tasker_test.pass('30 seconds');
select tasker_test.complete_echo(c.id, c.claim_no) from tasker_test.claim_echo(5) as c;
select is((select opened_until is null from tasklib.task_limits), true, 'a success closes the breaker');
select is((select count(*) from tasker_test.claim_echo(5)), 3::bigint, 'the other tasks are claimed after that');

select * from finish();
rollback;
