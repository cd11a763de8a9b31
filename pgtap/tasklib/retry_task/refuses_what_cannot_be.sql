begin;
select plan(4);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task');
select throws_ok(format('select tasklib.retry_task(%L)', :'task'), 'TK409', format('task %s is completed', :'task'), 'a completed task is refused');
select s.id as first from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select tasklib.cancel_task(:'first');
select s.id as second from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select throws_ok(format('select tasklib.retry_task(%L)', :'first'), 'TK409', format('another task of "echo" with the key of task %s is open', :'first'), 'a task whose key belongs to another open task is refused');
select throws_ok(format('select tasklib.retry_task(%L, -1)', :'first'), 'TK422', 'a task cannot be retried after -1 seconds', 'a negative delay is refused');
select throws_ok('select tasklib.retry_task(null)', 'TK404', 'task  does not exist', 'a null task is refused');

select * from finish();
rollback;
