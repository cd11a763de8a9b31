begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select is(tasker.register_worker(tasker_test.worker(), 'host-1/42', '{shop}'), true, 'register_worker returns true for a new worker');
select tasker_test.pass('1 minute');
select is(tasker.register_worker(tasker_test.worker(), 'host-1/43'), false, 'register_worker returns false for a known worker');
select results_eq(
  $$ select w.name::text collate "C", w.namespaces, tasker.clock() - w.registered_at, w.last_seen_at = tasker.clock(), w.claimed_count from tasker.workers as w where w.worker_uuid = tasker_test.worker() $$,
  $$ values ('host-1/43' collate "C", '{}'::text[], interval '1 minute', true, 0::bigint) $$, 'null namespaces mean all namespaces'
);
select is(tasker.register_worker(tasker_test.worker(2), repeat('ß', 200), '{shop}'), true, 'a name of 200 characters is accepted');

select * from finish();
rollback;
