begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"rate_limit": 10, "rate_period_seconds": 60}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[50]));

select is((select count(*) from tasker_test.claim_echo(4)), 4::bigint, 'a claim below the rate gets all it asked for');
select is((select count(*) from tasker_test.claim_echo(40)), 6::bigint, 'a claim gets at most what is left of the rate');
select is_empty('select * from tasker_test.claim_echo(40)', 'no task is claimed when the rate is used up');
select tasker_test.pass('6 seconds');
select is((select count(*) from tasker_test.claim_echo(40)), 1::bigint, 'a tenth of the period restores a tenth of the rate');
select tasker_test.pass('1 hour');
select is((select count(*) from tasker_test.claim_echo(40)), 10::bigint, 'an idle hour does not restore more than the limit');

select * from finish();
rollback;
