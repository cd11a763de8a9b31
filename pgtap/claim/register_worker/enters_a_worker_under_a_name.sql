begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select is(tasker.register_worker(tasker_test.worker(), 'host-1/42', '{shop}'), true, 'it is new');
select tasker_test.pass('1 minute');
select is(tasker.register_worker(tasker_test.worker(), 'host-1/43'), false, 'a known one is renamed');
select results_eq(
  $$ select w.name collate "C", w.namespaces, tasker.clock() - w.registered_at, w.last_seen_at = tasker.clock(), w.claimed_count from tasker.workers as w where w.worker_uuid = tasker_test.worker() $$,
  $$ values ('host-1/43' collate "C", '{}'::text[], interval '1 minute', true, 0::bigint) $$, 'null is all namespaces'
);
select is(tasker.register_worker(tasker_test.worker(2), repeat('ß', 200), '{shop}'), true, 'a long name');

select * from finish();
rollback;
