begin;
select plan(4);

select tasker_test.freeze();
select is(tasker.heartbeat_worker(tasker_test.worker()), false, 'an unknown one is to register');
select is(tasker.heartbeat_worker(null), false, 'so is null');
select tasker.register_worker(tasker_test.worker(), 'a');
select tasker_test.pass('1 minute');
select is(tasker.heartbeat_worker(tasker_test.worker()), true, 'a known one is seen');
select is((select w.last_seen_at from tasker.workers as w where w.worker_uuid = tasker_test.worker()), tasker.clock(), 'now');

select * from finish();
rollback;
