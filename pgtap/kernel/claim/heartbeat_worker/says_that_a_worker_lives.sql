begin;
select plan(4);

select tasker_test.freeze();
select is(tasker.heartbeat_worker(tasker_test.worker()), false, 'an unknown worker returns false');
select is(tasker.heartbeat_worker(null), false, 'a null worker returns false');
select tasker.register_worker(tasker_test.worker(), 'a');
select tasker_test.pass('1 minute');
select is(tasker.heartbeat_worker(tasker_test.worker()), true, 'a known worker returns true');
select is((select w.last_seen_at from tasker.workers as w where w.worker_uuid = tasker_test.worker()), tasker.clock(), 'last_seen_at is the time of the call');

select * from finish();
rollback;
