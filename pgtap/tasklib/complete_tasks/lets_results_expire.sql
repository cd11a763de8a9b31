begin;
select plan(3);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"completed_ttl_seconds": 60}');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task');
select is((tasker_test.tasklib_task(:'task')).expires_at, '2026-03-01 12:01+00'::timestamptz, 'the name sets when a result expires');

select tasklib.register_task('echo', '{"completed_ttl_seconds": null}');
select tasklib.set_setting('completed_ttl_seconds', '3600');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task');
select is((tasker_test.tasklib_task(:'task')).expires_at, '2026-03-01 13:00+00'::timestamptz, 'the setting applies when the name sets nothing');

select tasklib.register_task('echo', '{"completed_ttl_seconds": 0}');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task');
select is((tasker_test.tasklib_task(:'task')).expires_at, null, 'a name with 0 seconds keeps its results for good');

select * from finish();
rollback;
