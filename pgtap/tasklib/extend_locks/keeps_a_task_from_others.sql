begin;
select plan(8);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select tasker_test.pass('9 minutes');
select is((select o.outcome from tasklib.extend_locks('w', array[:'task'::uuid], '{1}') as o), 'extended', 'the lock is extended');
select is((tasker_test.tasklib_task(:'task')).locked_until, '2026-03-01 12:19+00'::timestamptz, 'the lock ends ten minutes from now');
select tasklib.extend_locks('w', array[:'task'::uuid], '{1}', 5);
select is((tasker_test.tasklib_task(:'task')).locked_until, '2026-03-01 12:19+00'::timestamptz, 'a shorter time does not shorten the lock');
select tasker_test.pass('9 minutes');
select is_empty($$ select * from tasker_test.claim_echo(1, 'v') $$, 'no other worker gets the task');
select is((select o.outcome from tasklib.extend_locks('v', array[:'task'::uuid], '{1}') as o), 'stale', 'another worker cannot extend the lock');
select tasklib.cancel_task(:'task');
select is((select o.outcome from tasklib.extend_locks('w', array[:'task'::uuid], '{1}') as o), 'stale', 'a worker whose task was cancelled gets "stale"');
select throws_ok($$ select tasklib.extend_locks('w', '{}', '{}', 0) $$, 'TK422', 'a lock cannot last 0 seconds', 'a lock of 0 seconds is refused');
select throws_ok($$ select tasklib.extend_locks('w', null, '{}') $$, 'TK422', 'this is not a valid report about claimed tasks', 'null arrays are refused');

select * from finish();
rollback;
