begin;
select plan(1);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"failed_ttl_seconds": 60, "completed_ttl_seconds": 5}');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.fail_echo(:'task', 1, 'x', true);
select is((tasker_test.tasklib_task(:'task')).expires_at, '2026-03-01 12:01+00'::timestamptz, 'a failed task expires after failed_ttl_seconds');

select * from finish();
rollback;
