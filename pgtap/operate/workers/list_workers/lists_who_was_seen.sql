begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_worker(tasker_test.worker(1), 'old', '{shop}');
select tasker_test.pass('1 hour');
select tasker.register_worker(tasker_test.worker(2), 'new');
select tasker_test.pass('1 minute');
select results_eq(
  $$ select w.worker_uuid, w.name, w.namespaces, w.claimed_count, tasker.clock() - w.last_seen_at, w.registered_at = w.last_seen_at from tasker.list_workers() as w $$,
  $$ values (tasker_test.worker(2), 'new', '{}'::text[], 0::bigint, interval '1 minute', true), (tasker_test.worker(1), 'old', '{shop}', 0, '61 minutes', true) $$,
  'workers are listed by when they were seen, newest first'
);
select results_eq($$ select w.name from tasker.list_workers('5 minutes') as w $$, $$ values ('new') $$, 'p_seen_within filters by when a worker was seen');
select is_empty($$ select from tasker.list_workers('1 minute') $$, 'the end of the period is excluded');
select is_empty($$ select from tasker.list_workers('-1 hour') $$, 'a negative period lists nothing');

select * from finish();
rollback;
