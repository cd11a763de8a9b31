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
  'the last one first'
);
select results_eq($$ select w.name from tasker.list_workers('5 minutes') as w $$, $$ values ('new') $$, 'or those of late');
select is_empty($$ select from tasker.list_workers('1 minute') $$, 'the end is not within');
select is_empty($$ select from tasker.list_workers('-1 hour') $$, 'nobody was seen in the future');

select * from finish();
rollback;
